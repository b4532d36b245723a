import { hash } from 'node:crypto';
import type { Log } from '../../ports/ambient.ts';
import { shardCount } from '../../ports/store/alert-store.ts';
import type { Lease } from '../../ports/store/lease-store.ts';
import type { Store } from '../../ports/store/store.ts';

/** The shard and slot of an alert: a hash of its id, the same in every process. */
export interface Place {
  /** A process evaluates the alerts of the shards whose leases it holds. */
  shard: number;
  /** Spreads the periodic work of alerts over time. */
  slot: number;
}

export function placeOf(alertId: string): Place {
  const digest = hash('sha256', alertId, 'hex');
  return {
    shard: Number.parseInt(digest.slice(0, 2), 16) % shardCount,
    slot: Number.parseInt(digest.slice(2, 4), 16),
  };
}

export const shardOf = (alertId: string): number => placeOf(alertId).shard;

export interface ShardsOptions {
  store: Store;
  holder: string;
  leaseTtlMs: number;
  log: Log;
}

export interface ShardChange {
  gained: number[];
  lost: number[];
}

/** The leases of one process: it takes a fair share of the shards and gives back the rest. */
export class Shards {
  readonly #options: ShardsOptions;
  readonly #held = new Map<number, Lease>();
  #keptAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ShardsOptions) {
    this.#options = options;
  }

  get held(): number[] {
    return [...this.#held.keys()];
  }

  lease(shard: number): Lease | undefined {
    return this.#held.get(shard);
  }

  /** Gives up a lease after a write under it was refused: another process may hold it now. */
  drop(shard: number): void {
    if (this.#held.delete(shard)) {
      this.#logLost([shard]);
    }
    this.#keptAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Renews the leases three times within their lifetime, and when the clock jumps. */
  async keep(nowMs: number): Promise<ShardChange> {
    const { store, holder, leaseTtlMs } = this.#options;
    if (Math.abs(nowMs - this.#keptAtMs) < leaseTtlMs / 3) {
      return { gained: [], lost: [] };
    }
    // Started at the same time, they share a commit if the store groups commits.
    const [alive, lost] = await Promise.all([
      store.alerts.heartbeat(holder, leaseTtlMs),
      this.#renew(),
    ]);
    const share = Math.ceil(shardCount / Math.max(alive.length, 1));
    const gained = await this.#take(share);
    const released = await this.#giveBack(share);
    lost.push(...released);
    this.#keptAtMs = nowMs;
    return {
      gained: gained.filter((shard) => this.#held.has(shard)),
      lost: lost.filter((shard) => !this.#held.has(shard)),
    };
  }

  async release(): Promise<void> {
    for (const lease of this.#held.values()) {
      await this.#options.store.leases.release(lease);
    }
    this.#held.clear();
    await this.#options.store.alerts.leave(this.#options.holder);
  }

  async #renew(): Promise<number[]> {
    const renewed = await this.#options.store.transaction(async (parts) => {
      const result: [number, Lease | undefined][] = [];
      for (const [shard, lease] of this.#held) {
        result.push([shard, await parts.leases.renew(lease, this.#options.leaseTtlMs)]);
      }
      return result;
    });
    const lost: number[] = [];
    for (const [shard, lease] of renewed) {
      if (lease) {
        this.#held.set(shard, lease);
      } else {
        this.#held.delete(shard);
        lost.push(shard);
      }
    }
    if (lost.length > 0) {
      this.#logLost(lost);
    }
    return lost;
  }

  async #take(share: number): Promise<number[]> {
    const gained: number[] = [];
    for (let shard = 0; shard < shardCount && this.#held.size < share; shard++) {
      if (this.#held.has(shard)) {
        continue;
      }
      const lease = await this.#options.store.leases.acquire(
        `alerts/${shard}`,
        this.#options.holder,
        this.#options.leaseTtlMs,
      );
      if (!lease) {
        continue;
      }
      this.#held.set(shard, lease);
      gained.push(shard);
    }
    if (gained.length > 0) {
      const { holder } = this.#options;
      this.#options.log.info({ shards: gained, holder }, 'alert leases won');
    }
    return gained;
  }

  async #giveBack(share: number): Promise<number[]> {
    const extra = [...this.#held].slice(share);
    for (const [shard, lease] of extra) {
      this.#held.delete(shard);
      await this.#options.store.leases.release(lease);
    }
    const released = extra.map(([shard]) => shard);
    if (released.length > 0) {
      const { holder } = this.#options;
      this.#options.log.info({ shards: released, holder }, 'alert leases released');
    }
    return released;
  }

  #logLost(shards: readonly number[]): void {
    const { log, holder } = this.#options;
    log.info({ shards, holder }, 'alert leases lost');
  }
}
