import type { Clock, Log, Vault } from '../../ports/ambient.ts';
import type { Store } from '../../ports/store/store.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import type { WebhookSender } from '../../ports/webhook-sender.ts';
import type { Query } from '../query/index.ts';
import { Catalog } from './catalog.ts';
import { Courier } from './deliver/courier.ts';
import { destinations } from './deliver/destination.ts';
import { Evaluator } from './evaluator.ts';
import { Maintenance } from './maintenance.ts';
import { Recorder } from './record/recorder.ts';
import { RunningSet } from './running-set.ts';
import { Shards } from './shards.ts';
import { StoreClock } from './store-clock.ts';

export interface AlertingOptions {
  store: Store;
  telemetry: Telemetry;
  query: Query;
  sender: WebhookSender;
  vault: Vault;
  clock: Clock;
  log: Log;
  /**
   * Name of the lease holder. A holder with the same name takes its leases over at once, so a
   * process that has the store to itself uses a constant. Processes that share a store need
   * different names.
   */
  holder: string;
  /** How often to look for due alerts, in milliseconds. */
  tickMs: number;
  /** How long after its end a window waits for late telemetry, in milliseconds. */
  ingestDelayMs: number;
  /** Timeout of one evaluation query, in milliseconds. */
  queryTimeoutMs: number;
  /** Memory limit of one evaluation query; absent: the engine's own limit. */
  queryMemoryBytes?: number;
  /** How long settled deliveries are kept, in days (default 7). */
  deliveryDays?: number;
  /** Address of the user interface, for links in messages; empty: no links. */
  publicUrl?: string;
  /** How long a lease lives without renewal, in milliseconds (default 15000). */
  leaseTtlMs?: number;
  /** Maximum number of concurrent deliveries to one host (default 16). */
  perHostMax?: number;
  /** Source of jitter, from 0 to 1. */
  random?: () => number;
}

/** Evaluates alerts when they are due and delivers their notifications. */
export interface Alerting {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** One tick; resolves when every due alert is evaluated and recorded. For tests with a clock. */
  tick(): Promise<void>;
  /** Resolves when nothing can be sent until the clock moves on. */
  delivered(): Promise<void>;
}

const dayMs = 86_400_000;
const historyMs = 30 * dayMs;
/** Number of settled deliveries of one alert that are kept. */
const deliveriesMax = 10_000;
const sweepEveryMs = 3_600_000;

export function createAlerting(options: AlertingOptions): Alerting {
  return new Supervisor(options);
}

class Supervisor implements Alerting {
  readonly #options: AlertingOptions;
  readonly #shards: Shards;
  readonly #courier: Courier;
  readonly #storeClock: StoreClock;
  readonly #evaluator: Evaluator;
  readonly #running: RunningSet;
  readonly #evaluations = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #currentTick: Promise<void> | undefined;
  #stop = new AbortController();
  #sweptMs = Number.NEGATIVE_INFINITY;
  #courierStarted = false;

  constructor(options: AlertingOptions) {
    const { store, clock, log, sender, vault, publicUrl = '' } = options;
    const { leaseTtlMs = 15_000, perHostMax = 16, random = Math.random } = options;
    this.#options = options;
    const catalog = new Catalog(store.alerts);
    this.#storeClock = new StoreClock(clock);
    this.#shards = new Shards({ store, holder: options.holder, leaseTtlMs, log });
    this.#courier = new Courier({
      store,
      sender,
      clock: this.#storeClock,
      log,
      random,
      perHostMax,
      destination: destinations(catalog, vault),
      alertNames: (alertId, webhookId) =>
        this.#running.get(alertId)?.definition.webhookIds.includes(webhookId) ?? true,
    });
    const recorder = new Recorder({
      store,
      log,
      catalog,
      shards: this.#shards,
      maintenance: new Maintenance(catalog),
      publicUrl,
      ingestDelayMs: options.ingestDelayMs,
      deliver: (entries) => this.#courier.add(entries),
      delivering: () => this.#courier.busy,
    });
    this.#evaluator = new Evaluator({
      log,
      telemetry: options.telemetry,
      query: options.query,
      catalog,
      recorder,
      limits: {
        timeoutMs: options.queryTimeoutMs,
        ...(options.queryMemoryBytes !== undefined && { maxMemoryBytes: options.queryMemoryBytes }),
      },
    });
    this.#running = new RunningSet({
      store,
      catalog,
      shards: this.#shards,
      courier: this.#courier,
    });
  }

  async start(): Promise<void> {
    const { tickMs, log } = this.#options;
    const beat = (): void => {
      this.#timer = setTimeout(() => {
        beat();
        // A tick does not wait for the evaluations of the tick before, so that a query that hangs
        // holds up its own alerts only.
        if (!this.#currentTick) {
          this.#tick().catch((error: unknown) =>
            log.warn({ err: error }, 'alert evaluation failed; retrying'),
          );
        }
      }, tickMs);
    };
    beat();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort();
    await this.#currentTick?.catch(() => {});
    await Promise.allSettled(this.#evaluations);
    await this.#courier.stop();
    this.#running.clear();
    await this.#shards
      .release()
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'cannot release alert leases; they will expire'),
      );
    this.#stop = new AbortController();
    this.#courierStarted = false;
  }

  async tick(): Promise<void> {
    await this.#tick();
    await Promise.all(this.#evaluations);
  }

  delivered(): Promise<void> {
    return this.#courier.idle();
  }

  #tick(): Promise<void> {
    this.#currentTick = this.#startDue().finally(() => {
      this.#currentTick = undefined;
    });
    return this.#currentTick;
  }

  /** Starts the evaluation of all due alerts, without waiting for its end. */
  async #startDue(): Promise<void> {
    const { store, ingestDelayMs } = this.#options;
    if (!this.#courierStarted) {
      await this.#courier.start();
    }
    this.#courierStarted = true;
    const nowMs = await store.nowMs();
    this.#storeClock.set(nowMs);
    await this.#running.reconcile(nowMs);
    this.#courier.wake();
    const due = this.#running.due(nowMs, ingestDelayMs);
    if (due.length > 0) {
      const evaluation = this.#evaluator
        .evaluate(due, nowMs, this.#stop.signal)
        .finally(() => this.#evaluations.delete(evaluation));
      this.#evaluations.add(evaluation);
    }
    await this.#sweep(nowMs);
  }

  /** Deletes old history and deliveries. Only the holder of shard 0 does it. */
  async #sweep(nowMs: number): Promise<void> {
    if (Math.abs(nowMs - this.#sweptMs) < sweepEveryMs || !this.#running.hasShard(0)) {
      return;
    }
    this.#sweptMs = nowMs;
    await this.#options.store.alerts.sweepBefore({
      evaluationsMs: nowMs - historyMs,
      deliveriesMs: nowMs - (this.#options.deliveryDays ?? 7) * dayMs,
      deliveriesMax,
    });
  }
}
