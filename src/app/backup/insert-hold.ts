import { setTimeout as pause } from 'node:timers/promises';
import type { Lease } from '../../ports/store/lease-store.ts';
import { insertHoldLease, type PartitionName } from '../../ports/store/pipe-store.ts';
import type { Store } from '../../ports/store/store.ts';

const leaseMs = 30_000;
const renewMs = 5_000;
const pollMs = 50;

/** A lease that is renewed until it is released. */
export class KeptLease {
  readonly #store: Store;
  readonly #lease: Lease;
  readonly #timer: NodeJS.Timeout;

  constructor(store: Store, lease: Lease) {
    this.#store = store;
    this.#lease = lease;
    this.#timer = setInterval(() => void this.isHeld().catch(() => false), renewMs);
  }

  /** Undefined if another process holds the lease. */
  static async acquire(
    store: Store,
    name: string,
    holder: string,
    before?: (parts: Pick<Store, 'pipes'>) => Promise<void>,
  ): Promise<KeptLease | undefined> {
    const lease = await store.transaction(async (parts) => {
      await before?.(parts);
      return parts.leases.acquire(name, holder, leaseMs);
    });
    return lease && new KeptLease(store, lease);
  }

  /** Renews it. False: it had expired and another process has taken it. */
  async isHeld(): Promise<boolean> {
    return (await this.#store.leases.renew(this.#lease, leaseMs)) !== undefined;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#store.leases.release(this.#lease);
  }
}

/** While it lasts, no pipe starts an insert, and those that had started one have finished. */
export interface InsertHold {
  /** Partitions with an insert that did not finish in time, or whose pipe does not run. */
  readonly unfinished: readonly PartitionName[];
  /** @throws Error when pipes may have gone on meanwhile. */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

/** @param waitMs how long running pipes may take to finish their inserts */
export async function holdInserts(
  store: Store,
  holder: string,
  waitMs: number,
): Promise<InsertHold> {
  const deadline = performance.now() + waitMs;
  const lease = await KeptLease.acquire(store, insertHoldLease, holder, (parts) =>
    parts.pipes.waitForIntents(),
  );
  if (lease === undefined) {
    throw new Error('another backup takes its snapshot at this moment; try again');
  }
  try {
    const unfinished = await waitForInserts(store, deadline);
    return {
      unfinished,
      async confirm() {
        if (!(await lease.isHeld())) {
          throw new Error('the hold on the pipes was lost during the snapshot; try again');
        }
      },
      release: () => lease.release(),
    };
  } catch (error) {
    await lease.release();
    throw error;
  }
}

const restingStates = new Set(['Failed', 'Completed', 'Stopped', 'Paused']);

async function waitForInserts(store: Store, deadline: number): Promise<PartitionName[]> {
  for (;;) {
    const inserting = await store.pipes.inserting();
    if (inserting.length === 0) {
      return [];
    }
    const running = new Set(
      (await store.pipes.everyStatus())
        .filter(({ wish, state }) => wish === 'run' && !restingStates.has(state))
        .map(({ pipeId }) => pipeId),
    );
    const isAwaited = inserting.some(({ pipeId }) => running.has(pipeId));
    if (!isAwaited || performance.now() > deadline) {
      return inserting;
    }
    await pause(pollMs);
  }
}
