import type { AlertStore } from './alert-store.ts';
import type { AuditStore } from './audit-store.ts';
import type { DocumentStore } from './document-store.ts';
import type { IdentityStore } from './identity-store.ts';
import type { LeaseStore } from './lease-store.ts';
import type { NodeStore } from './node-store.ts';
import type { PipeStore } from './pipe-store.ts';
import type { SecretStore } from './secret-store.ts';

/** The first answer to an `Idempotency-Key`. */
export interface IdempotentAnswer {
  bodyHash: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Answers are forgotten after 24 h. */
export interface IdempotencyStore {
  /** The first answer to a key, if there is one. */
  answer(credential: string, key: string): Promise<IdempotentAnswer | undefined>;
  /**
   * Runs `work` as the first use of a key and stores the answer that `work` returns, in the same
   * transaction: both or neither. A second use waits for a running first one. Undefined if the key
   * has an answer already; then `work` does not run.
   */
  once<T>(
    credential: string,
    key: string,
    work: () => Promise<{ result: T; answer: IdempotentAnswer }>,
  ): Promise<{ result: T } | undefined>;
}

/** The parts that can be used inside and outside a transaction alike. */
export interface StoreParts {
  readonly documents: DocumentStore;
  readonly identity: IdentityStore;
  readonly leases: LeaseStore;
  readonly nodes: NodeStore;
  readonly pipes: PipeStore;
  readonly audit: AuditStore;
  readonly alerts: AlertStore;
  readonly secrets: SecretStore;
  readonly idempotency: IdempotencyStore;
  /** The store's own time, milliseconds: what leases and schedules go by. */
  nowMs(): Promise<number>;
}

export interface Store extends StoreParts {
  /**
   * All or nothing, and alone: SQLite runs one at a time, PostgreSQL at READ COMMITTED with the
   * locks the parts take, retried by itself on a deadlock or serialization failure (so `work` may
   * run more than once: nothing but store calls inside).
   */
  transaction<T>(work: (parts: StoreParts) => Promise<T>): Promise<T>;
  /**
   * Deletes what is past its time (idempotency keys, sessions, …). Called now and then by the
   * application.
   */
  sweep(): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
