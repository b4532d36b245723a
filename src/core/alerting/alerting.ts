import type { Clock, Log, Vault } from '../../ports/ambient.ts';
import type { Store } from '../../ports/store.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import type { WebhookSender } from '../../ports/webhook-sender.ts';
import type { Query } from '../query/index.ts';
import { Catalog } from './catalog.ts';
import { Courier } from './courier.ts';
import { destination } from './destination.ts';
import { Evaluator } from './evaluator.ts';
import { Pace } from './pace.ts';
import { DueNow, runningAlert, type RunningAlert } from './running-alert.ts';
import type { Due } from './schedule.ts';
import { placeOf, shardOf, Shards } from './shards.ts';

export interface AlertingOptions {
  store: Store;
  telemetry: Telemetry;
  query: Query;
  sender: WebhookSender;
  vault: Vault;
  clock: Clock;
  log: Log;
  /**
   * Who holds the leases. One that is the same after a restart takes over at once; so an embedded store, which one process has to itself, wants a
   * constant. Processes that share a store need different ones.
   */
  holder: string;
  /** How often to look for what is due. */
  tickMs: number;
  /** How long after its end a window waits for late telemetry. */
  ingestDelayMs: number;
  /** Of one evaluation query. */
  queryTimeoutMs: number;
  queryMemoryBytes?: number;
  /** Where the user interface answers, for links in messages; empty: no links. */
  publicUrl?: string;
  leaseTtlMs?: number;
  /** Deliveries to one host at once. */
  perHostMax?: number;
  random?: () => number;
}

/** The supervisor of alerts: evaluates what is due and delivers what has to be said. */
export interface Alerting {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** One look at what is due; resolves when all of it is evaluated and recorded. For tests that move the clock themselves. */
  tick(): Promise<void>;
  /** Resolves when nothing is left to send before the clock moves on. */
  delivered(): Promise<void>;
}

const historyMs = 30 * 86_400_000;
const deliveriesMs = 7 * 86_400_000;
const sweepEveryMs = 3_600_000;

export function createAlerting(options: AlertingOptions): Alerting {
  return new Supervisor(options);
}

class Supervisor implements Alerting {
  readonly #options: AlertingOptions;
  readonly #catalog: Catalog;
  readonly #shards: Shards;
  readonly #courier: Courier;
  readonly #evaluator: Evaluator;
  readonly #running = new Map<string, RunningAlert>();
  readonly #work = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #stop = new AbortController();
  #lastMs = 0;
  #sweptMs = Number.NEGATIVE_INFINITY;
  #begun = false;

  constructor(options: AlertingOptions) {
    const {
      store,
      clock,
      log,
      holder,
      sender,
      vault,
      telemetry,
      query,
      ingestDelayMs,
      queryTimeoutMs,
      queryMemoryBytes,
      publicUrl = '',
      leaseTtlMs = 15_000,
      perHostMax = 16,
      random = Math.random,
    } = options;
    this.#options = options;
    this.#catalog = new Catalog(store.alerts);
    this.#shards = new Shards({ store, holder, leaseTtlMs, log });
    this.#courier = new Courier({
      store,
      sender,
      clock,
      log,
      random,
      perHostMax,
      destination: destination(this.#catalog, vault),
      names: (alertId, webhookId) =>
        this.#running.get(alertId)?.definition.webhookIds.includes(webhookId) ?? true,
    });
    this.#evaluator = new Evaluator({
      store,
      log,
      telemetry,
      query,
      ingestDelayMs,
      publicUrl,
      catalog: this.#catalog,
      shards: this.#shards,
      limits: {
        timeoutMs: queryTimeoutMs,
        ...(queryMemoryBytes !== undefined && { maxMemoryBytes: queryMemoryBytes }),
      },
      deliver: (entries) => this.#courier.add(entries),
      delivering: () => this.#courier.busy,
    });
  }

  async start(): Promise<void> {
    const { tickMs, log } = this.#options;
    const beat = (): void => {
      this.#timer = setTimeout(() => {
        beat();
        // A look never waits for the evaluations of the one before: what hangs holds up itself only.
        if (!this.#looking) {
          this.#look().catch((error: unknown) =>
            log.warn({ error }, 'alerts could not be looked at; tried again'),
          );
        }
      }, tickMs);
    };
    beat();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort();
    await this.#looking?.catch(() => {});
    await Promise.allSettled(this.#work);
    await this.#courier.stop();
    this.#running.clear();
    this.#loaded.clear();
    await this.#shards
      .release()
      .catch((error: unknown) =>
        this.#options.log.warn(
          { error },
          'leases on alerts were not given back; they run out by themselves',
        ),
      );
    this.#stop = new AbortController();
    this.#begun = false;
  }

  async tick(): Promise<void> {
    await this.#look();
    await Promise.all(this.#work);
  }

  delivered(): Promise<void> {
    return this.#courier.idle();
  }

  /** Finds what is due and sets it going. */
  #look(): Promise<void> {
    this.#looking = this.#find().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #find(): Promise<void> {
    if (!this.#begun) {
      await this.#courier.start();
    }
    this.#begun = true;
    const nowMs = await this.#options.store.nowMs();
    await this.#reconcile(nowMs);
    this.#courier.wake();
    const due = this.#due(nowMs);
    if (due.length > 0) {
      const work = this.#evaluator
        .evaluate(due, nowMs, this.#stop.signal)
        .finally(() => this.#work.delete(work));
      this.#work.add(work);
    }
    await this.#sweep(nowMs);
  }

  /** The running set becomes the wanted set: leases first, then documents, then what both say. */
  async #reconcile(nowMs: number): Promise<void> {
    const { changed, changedAlertIds, removedAlertIds } = await this.#catalog.refresh(nowMs);
    const { gained, lost } = await this.#shards.keep(nowMs);
    const held = new Set(this.#shards.held);
    // What was lost and won again in between was somebody else's for a while: it is read anew.
    this.#drop(
      new Set([
        ...lost,
        ...[...this.#loaded].filter((shard) => !held.has(shard) || gained.includes(shard)),
      ]),
    );
    await this.#forget(removedAlertIds);
    await this.#load([
      ...new Set([...gained, ...[...held].filter((shard) => !this.#loaded.has(shard))]),
    ]);
    const pace = new Pace();
    for (const id of changedAlertIds) {
      this.#adopt(id);
      if (pace.due) {
        await pace.pause();
      }
    }
    const back = nowMs < this.#lastMs;
    this.#lastMs = nowMs;
    // After a step back of the clock, or a change of what an alert that failed is made from, what was planned is planned anew.
    if (back || changed) {
      for (const alert of this.#running.values()) {
        if (back || alert.failures > 0) {
          alert.nextCheckMs = 0;
        }
      }
    }
  }

  readonly #loaded = new Set<number>();

  async #load(shards: readonly number[]): Promise<void> {
    if (shards.length === 0) {
      return;
    }
    const progress = new Map(
      (await this.#options.store.alerts.progress(shards)).map((row) => [row.alertId, row]),
    );
    const epochs = new Map(shards.map((shard) => [shard, this.#shards.lease(shard)!.epoch]));
    const pace = new Pace();
    for (const id of this.#catalog.alertIds) {
      const place = placeOf(id);
      const epoch = epochs.get(place.shard);
      if (epoch !== undefined) {
        const row = progress.get(id);
        this.#running.set(id, runningAlert(this.#catalog.alert(id)!, row, epoch, place));
        if (row) {
          this.#courier.errors.load(id, row.deliveryErrors);
        }
      }
      if (pace.due) {
        await pace.pause();
      }
    }
    await this.#courier.load(shards);
    for (const shard of shards) {
      this.#loaded.add(shard);
    }
    await this.#forget([...progress.keys()].filter((id) => !this.#catalog.alertIds.has(id)));
  }

  #drop(shards: ReadonlySet<number>): void {
    if (shards.size === 0) {
      return;
    }
    for (const [id, alert] of this.#running) {
      if (shards.has(alert.shard)) {
        this.#running.delete(id);
      }
    }
    this.#courier.drop([...shards]);
    for (const shard of shards) {
      this.#loaded.delete(shard);
    }
  }

  async #forget(alertIds: readonly string[]): Promise<void> {
    const own = alertIds.filter((id) => this.#loaded.has(shardOf(id)));
    if (own.length === 0) {
      return;
    }
    for (const id of own) {
      this.#running.delete(id);
    }
    this.#courier.forget(own);
    await this.#options.store.alerts.forget(own);
  }

  /** A new alert begins; a changed one keeps everything but its definition. */
  #adopt(id: string): void {
    const document = this.#catalog.alert(id);
    const known = this.#running.get(id);
    if (!document || known?.definition.version === document.version) {
      return;
    }
    const place = placeOf(id);
    if (!this.#loaded.has(place.shard)) {
      return;
    }
    const fresh = runningAlert(
      document,
      undefined,
      this.#shards.lease(place.shard)?.epoch ?? 0,
      place,
    );
    if (!known) {
      this.#running.set(id, fresh);
    } else {
      Object.assign(known, { definition: fresh.definition, nextCheckMs: 0 });
      this.#courier.errors.keep(id, fresh.definition.webhookIds);
    }
  }

  #due(nowMs: number): { alert: RunningAlert; due: Due }[] {
    const found: { alert: RunningAlert; due: Due }[] = [];
    const now = new DueNow(nowMs, this.#options.ingestDelayMs);
    for (const alert of this.#running.values()) {
      if (alert.busy !== undefined || alert.nextCheckMs > nowMs) {
        continue;
      }
      const due = now.of(alert);
      if (due.windows.length > 0) {
        found.push({ alert, due });
      }
    }
    return found;
  }

  async #sweep(nowMs: number): Promise<void> {
    if (Math.abs(nowMs - this.#sweptMs) < sweepEveryMs || !this.#loaded.has(0)) {
      return;
    }
    this.#sweptMs = nowMs;
    await this.#options.store.alerts.sweepBefore({
      evaluationsMs: nowMs - historyMs,
      deliveriesMs: nowMs - deliveriesMs,
    });
  }
}
