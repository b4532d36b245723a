import type { Store } from '../../ports/store/store.ts';
import type { Catalog } from './catalog.ts';
import type { Courier } from './deliver/courier.ts';
import { DueNow, runningAlert, type DueAlert, type RunningAlert } from './running-alert.ts';
import { placeOf, shardOf, type Shards } from './shards.ts';
import { TimeSlice } from '../../ports/time-slice.ts';

export interface RunningSetOptions {
  store: Store;
  catalog: Catalog;
  shards: Shards;
  courier: Courier;
}

/** The alerts that this process evaluates: those of the catalog whose shards it holds. */
export class RunningSet {
  readonly #options: RunningSetOptions;
  readonly #alerts = new Map<string, RunningAlert>();
  readonly #loadedShards = new Set<number>();
  #lastMs = 0;

  constructor(options: RunningSetOptions) {
    this.#options = options;
  }

  get(alertId: string): RunningAlert | undefined {
    return this.#alerts.get(alertId);
  }

  hasShard(shard: number): boolean {
    return this.#loadedShards.has(shard);
  }

  clear(): void {
    this.#alerts.clear();
    this.#loadedShards.clear();
  }

  /** Updates the set in this order: catalog, leases, alerts of gained shards, changed alerts. */
  async reconcile(nowMs: number): Promise<void> {
    const { catalog, shards } = this.#options;
    const { changed, changedAlertIds, removedAlertIds } = await catalog.refresh(nowMs);
    const { gained, lost } = await shards.keep(nowMs);
    const held = new Set(shards.held);
    // A shard that was lost and won again belonged to another process in between: reload it.
    this.#drop(
      new Set([
        ...lost,
        ...[...this.#loadedShards].filter((shard) => !held.has(shard) || gained.includes(shard)),
      ]),
    );
    await this.#forget(removedAlertIds);
    await this.#load([
      ...new Set([...gained, ...[...held].filter((shard) => !this.#loadedShards.has(shard))]),
    ]);
    const slice = new TimeSlice();
    for (const id of changedAlertIds) {
      this.#adopt(id);
      if (slice.expired) {
        await slice.yieldToOthers();
      }
    }
    const clockSetBack = nowMs < this.#lastMs;
    this.#lastMs = nowMs;
    if (clockSetBack || changed) {
      this.#checkNow(clockSetBack);
    }
  }

  /** The alerts with windows to evaluate that no running evaluation includes. */
  due(nowMs: number, ingestDelayMs: number): DueAlert[] {
    const dueAlerts: DueAlert[] = [];
    const now = new DueNow(nowMs, ingestDelayMs);
    for (const alert of this.#alerts.values()) {
      if (alert.busy !== undefined || alert.nextCheckMs > nowMs) {
        continue;
      }
      const due = now.windowsOf(alert);
      if (due.windows.length > 0) {
        dueAlerts.push({ alert, due });
      }
    }
    return dueAlerts;
  }

  /** Checks alerts at the next tick: all of them, or those that failed and may have been repaired. */
  #checkNow(all: boolean): void {
    for (const alert of this.#alerts.values()) {
      if (all || alert.failures > 0) {
        alert.nextCheckMs = 0;
      }
    }
  }

  async #load(shardNumbers: readonly number[]): Promise<void> {
    if (shardNumbers.length === 0) {
      return;
    }
    const { store, catalog, shards, courier } = this.#options;
    const rows = await store.alerts.progress(shardNumbers);
    const progress = new Map(rows.map((row) => [row.alertId, row]));
    const epochs = new Map(
      shardNumbers.map((shard) => [shard, shards.lease(shard)?.epoch] as const),
    );
    const slice = new TimeSlice();
    for (const id of catalog.alertIds) {
      const place = placeOf(id);
      const epoch = epochs.get(place.shard);
      const document = epoch === undefined ? undefined : catalog.alert(id);
      if (epoch !== undefined && document) {
        const row = progress.get(id);
        this.#alerts.set(id, runningAlert(document, row, epoch, place));
        if (row) {
          courier.errors.load(id, row.deliveryErrors);
        }
      }
      if (slice.expired) {
        await slice.yieldToOthers();
      }
    }
    await courier.load(shardNumbers);
    for (const shard of shardNumbers) {
      this.#loadedShards.add(shard);
    }
    await this.#forget([...progress.keys()].filter((id) => !catalog.alertIds.has(id)));
  }

  #drop(shardNumbers: ReadonlySet<number>): void {
    if (shardNumbers.size === 0) {
      return;
    }
    for (const [id, alert] of this.#alerts) {
      if (shardNumbers.has(alert.shard)) {
        this.#alerts.delete(id);
      }
    }
    this.#options.courier.drop([...shardNumbers]);
    for (const shard of shardNumbers) {
      this.#loadedShards.delete(shard);
    }
  }

  /** Removes deleted alerts of the loaded shards, and everything the store has of them. */
  async #forget(alertIds: readonly string[]): Promise<void> {
    const own = alertIds.filter((id) => this.#loadedShards.has(shardOf(id)));
    if (own.length === 0) {
      return;
    }
    for (const id of own) {
      this.#alerts.delete(id);
    }
    const { courier, store } = this.#options;
    courier.forget(own);
    await store.alerts.forget(own);
  }

  /** Adds a new alert; a changed one keeps everything but its definition. */
  #adopt(id: string): void {
    const { catalog, shards, courier } = this.#options;
    const document = catalog.alert(id);
    const known = this.#alerts.get(id);
    if (!document || known?.definition.version === document.version) {
      return;
    }
    const place = placeOf(id);
    if (!this.#loadedShards.has(place.shard)) {
      return;
    }
    const fresh = runningAlert(document, undefined, shards.lease(place.shard)?.epoch ?? 0, place);
    if (!known) {
      this.#alerts.set(id, fresh);
      return;
    }
    known.definition = fresh.definition;
    known.nextCheckMs = 0;
    courier.errors.keep(id, fresh.definition.webhookIds);
  }
}
