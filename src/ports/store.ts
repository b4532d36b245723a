import type { AlertStore } from './alert-store.ts';
import type { AuditStore } from './audit-store.ts';
import type { IdentityStore } from './identity-store.ts';
import type { PipeStore } from './pipe-store.ts';

/** Plain JSON, as it is kept and answered. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** What is kept as documents; a new kind needs no new table. */
export type DocumentKind = 'alert' | 'dashboard' | 'source' | 'webhook' | 'savedSearch' | 'pipe';

/** A pointer of one document at another; `part` names something inside it (a tile of a dashboard). */
export interface Reference {
  kind: DocumentKind;
  id: string;
  part?: string;
}

export interface NewDocument {
  kind: DocumentKind;
  id: string;
  /** Everything a caller may see, except `id`, times and version. */
  body: JsonObject;
  /** Vault text of the document's secrets. Never leaves by a list or a get of the API. */
  sealed?: string | null;
  /** Unique within (workspace, kind) where given, such as a webhook's `service/name`. */
  uniqueKey?: string | null;
  references?: readonly Reference[];
}

export interface StoredDocument {
  kind: DocumentKind;
  id: string;
  workspaceId: string;
  /** 1 at creation, one more with every change. */
  version: number;
  createdAtMs: number;
  updatedAtMs: number;
  body: JsonObject;
  sealed: string | null;
}

export interface DocumentChange {
  body: JsonObject;
  /** Absent: the stored secrets are kept. */
  sealed?: string | null;
  /** Absent: kept. */
  uniqueKey?: string | null;
  /** Absent: kept. */
  references?: readonly Reference[];
}

export interface Page<T> {
  items: T[];
  total: number;
}

export interface Referrer {
  kind: DocumentKind;
  id: string;
  /** Which part of the target it points at. */
  part: string | null;
}

/**
 * Documents of one workspace, which is always the first argument: a read that names none cannot be written.
 * Everything throws Fault `conflict` for a taken uniqueKey or id, `unavailable` when the store is away.
 */
export interface DocumentStore {
  insert(workspaceId: string, document: NewDocument): Promise<StoredDocument>;
  /** Outside a transaction the document may be shared with other readers, and is then frozen: copy before changing. Without a promise where it is remembered. */
  get(
    workspaceId: string,
    kind: DocumentKind,
    id: string,
  ): StoredDocument | undefined | Promise<StoredDocument | undefined>;
  getMany(
    workspaceId: string,
    kind: DocumentKind,
    ids: readonly string[],
  ): Promise<StoredDocument[]>;
  /** In creation order. */
  list(
    workspaceId: string,
    kind: DocumentKind,
    page: { limit: number; offset: number },
  ): Promise<Page<StoredDocument>>;
  /** The changed document, or undefined where it is gone or its version is no longer `expectedVersion`. */
  update(
    workspaceId: string,
    kind: DocumentKind,
    id: string,
    expectedVersion: number,
    change: DocumentChange,
  ): Promise<StoredDocument | undefined>;
  /** Whether it was there (in that version, where one is given). Its own references go with it. */
  remove(
    workspaceId: string,
    kind: DocumentKind,
    id: string,
    expectedVersion?: number,
  ): Promise<boolean>;
  /** Who points at it, in creation order. In a transaction nobody comes to point at it before its end (`existing` waits). */
  referrers(workspaceId: string, kind: DocumentKind, id: string): Promise<Referrer[]>;
  /** Which of these exist; in a transaction they stay until its end (a share lock on PostgreSQL). */
  existing(workspaceId: string, references: readonly Reference[]): Promise<Reference[]>;
}

/** A lease on a piece of work: one holder at a time, told apart from its predecessors by `epoch`. */
export interface Lease {
  name: string;
  holder: string;
  /** Grows with every change of holder. A write fenced with an older epoch is refused. */
  epoch: number;
  expiresAtMs: number;
}

export interface LeaseStore {
  /** Takes the lease when it is free, expired or already `holder`'s; by the store's own time. Undefined when somebody else has it. */
  acquire(name: string, holder: string, ttlMs: number): Promise<Lease | undefined>;
  /** Longer, if it is still this very lease. */
  renew(lease: Lease, ttlMs: number): Promise<Lease | undefined>;
  release(lease: Lease): Promise<void>;
  /** Inside a transaction: throws Fault `conflict` unless the lease is still current; it stays so until the end of the transaction. */
  fence(lease: Lease): Promise<void>;
}

/** The first answer to an `Idempotency-Key`. */
export interface IdempotentAnswer {
  bodyHash: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface IdempotencyStore {
  /**
   * Claims a key: `claimed` means go ahead and then `complete` or `abandon`; `answered` carries the first answer; `busy` means the first
   * request is still running. Keys are forgotten after 24 h, unfinished claims after `claimTtlMs`.
   */
  claim(
    credential: string,
    key: string,
    bodyHash: string,
    claimTtlMs: number,
  ): Promise<
    | { state: 'claimed' }
    | { state: 'busy'; bodyHash: string }
    | { state: 'answered'; answer: IdempotentAnswer }
  >;
  complete(credential: string, key: string, answer: IdempotentAnswer): Promise<void>;
  abandon(credential: string, key: string): Promise<void>;
}

/** The parts that can be used inside and outside a transaction alike. */
export interface StoreParts {
  readonly documents: DocumentStore;
  readonly identity: IdentityStore;
  readonly leases: LeaseStore;
  readonly pipes: PipeStore;
  readonly audit: AuditStore;
  readonly alerts: AlertStore;
  /** The store's own time, milliseconds: what leases and schedules go by. */
  nowMs(): Promise<number>;
}

export interface Store extends StoreParts {
  readonly idempotency: IdempotencyStore;
  /**
   * All or nothing, and alone: SQLite runs one at a time, PostgreSQL at READ COMMITTED with the locks the parts take, retried by itself on a
   * deadlock or serialization failure (so `work` may run more than once: nothing but store calls inside).
   */
  /** @param call on whose behalf, for a store that keeps a record of calls. */
  transaction<T>(work: (parts: StoreParts) => Promise<T>, call?: object): Promise<T>;
  /** Deletes what is past its time (idempotency keys, sessions, …). Called now and then by the application. */
  sweep(): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
