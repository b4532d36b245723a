import type { AlertStore } from './alert-store.ts';
import type { AuditStore } from './audit-store.ts';
import type { DocumentStore } from './document-store.ts';
import type { IdentityStore } from './identity-store.ts';
import type { LeaseStore } from './lease-store.ts';
import type { PipeStore } from './pipe-store.ts';

/** The first answer to an `Idempotency-Key`. */
export interface IdempotentAnswer {
  bodyHash: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface IdempotencyStore {
  /**
   * Claims a key: `claimed` means go ahead and then `complete` or `abandon`; `answered` carries the
   * first answer; `busy` means the first request is still running. Keys are forgotten after 24 h,
   * unfinished claims after `claimTtlMs`.
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
