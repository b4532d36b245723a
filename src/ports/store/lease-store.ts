/**
 * A lease on a piece of work: one holder at a time, told apart from its predecessors by `epoch`.
 */
export interface Lease {
  name: string;
  holder: string;
  /** Grows with every change of holder. A write fenced with an older epoch is refused. */
  epoch: number;
  expiresAtMs: number;
}

export interface LeaseStore {
  /**
   * Takes the lease when it is free, expired or already `holder`'s; by the store's own time.
   * Undefined when somebody else has it.
   */
  acquire(name: string, holder: string, ttlMs: number): Promise<Lease | undefined>;
  /** Longer, if it is still this very lease. */
  renew(lease: Lease, ttlMs: number): Promise<Lease | undefined>;
  release(lease: Lease): Promise<void>;
  /** Every lease that has a holder and is not expired, by name. */
  held(): Promise<Lease[]>;
  /**
   * Inside a transaction: throws Fault `conflict` unless the lease is still current; it stays so
   * until the end of the transaction.
   */
  fence(lease: Lease): Promise<void>;
}
