import type { DocumentBodies, DocumentKind } from './document-bodies.ts';

export type { DocumentBodies, DocumentKind } from './document-bodies.ts';

/** Plain JSON, as it is kept and answered. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/**
 * A pointer of one document at another; `part` names something inside it (a tile of a dashboard).
 */
export interface Reference {
  kind: DocumentKind;
  id: string;
  part?: string;
}

export interface NewDocument<K extends DocumentKind = DocumentKind> {
  kind: K;
  id: string;
  /** Everything a caller may see, except `id`, times and version. */
  body: DocumentBodies[K];
  /** Vault text of the document's secrets. Never leaves by a list or a get of the API. */
  sealed?: string | null;
  /** Unique within (workspace, kind) where given, such as a webhook's `service/name`. */
  uniqueKey?: string | null;
  references?: readonly Reference[];
}

export interface StoredDocument<K extends DocumentKind = DocumentKind> {
  kind: K;
  id: string;
  workspaceId: string;
  /** 1 at creation, one more with every change. */
  version: number;
  createdAtMs: number;
  updatedAtMs: number;
  body: DocumentBodies[K];
  sealed: string | null;
}

export interface DocumentChange<K extends DocumentKind = DocumentKind> {
  body: DocumentBodies[K];
  /** Absent: the stored secrets are kept. */
  sealed?: string | null;
  /** Absent: kept. */
  uniqueKey?: string | null;
  /** Absent: kept. */
  references?: readonly Reference[];
}

export interface DocumentPage {
  limit: number;
  offset: number;
  /** Only documents that have all of these tags. Absent: whatever their tags are. */
  tags?: readonly string[] | undefined;
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
 * Documents of one workspace, which is always the first argument: a read that names none cannot be
 * written. Everything throws Fault `conflict` for a taken uniqueKey or id, `unavailable` when the
 * store is away.
 */
export interface DocumentStore {
  insert<K extends DocumentKind>(
    workspaceId: string,
    document: NewDocument<K>,
  ): Promise<StoredDocument<K>>;
  /**
   * Outside a transaction the document may be shared with other readers, and is then frozen: copy
   * before changing. Without a promise where it is remembered.
   */
  get<K extends DocumentKind>(
    workspaceId: string,
    kind: K,
    id: string,
  ): StoredDocument<K> | undefined | Promise<StoredDocument<K> | undefined>;
  getMany<K extends DocumentKind>(
    workspaceId: string,
    kind: K,
    ids: readonly string[],
  ): Promise<StoredDocument<K>[]>;
  /** In creation order. */
  list<K extends DocumentKind>(
    workspaceId: string,
    kind: K,
    page: DocumentPage,
  ): Promise<Page<StoredDocument<K>>>;
  /**
   * The changed document, or undefined where it is gone or its version is no longer
   * `expectedVersion`.
   */
  update<K extends DocumentKind>(
    workspaceId: string,
    kind: K,
    id: string,
    expectedVersion: number,
    change: DocumentChange<K>,
  ): Promise<StoredDocument<K> | undefined>;
  /** Whether it was there (in that version, where one is given). Its own references go with it. */
  remove(
    workspaceId: string,
    kind: DocumentKind,
    id: string,
    expectedVersion?: number,
  ): Promise<boolean>;
  /**
   * Who points at it, in creation order. In a transaction nobody comes to point at it before its
   * end (`existing` waits).
   */
  referrers(workspaceId: string, kind: DocumentKind, id: string): Promise<Referrer[]>;
  /**
   * Which of these exist; in a transaction they stay until its end (a share lock on PostgreSQL).
   */
  existing(workspaceId: string, references: readonly Reference[]): Promise<Reference[]>;
}
