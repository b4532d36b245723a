import type {
  DeliveryMark,
  OutboxEntry,
  PendingDelivery,
} from '../../../ports/store/alert-store.ts';
import { DeliveryErrors } from './delivery-errors.ts';
import type { Verdict } from './delivery-verdict.ts';
import { MarkWriter } from './mark-writer.ts';
import { longestWaitMs } from './retry-schedule.ts';
import { WebhookAttempts, type AttemptOptions, type AttemptOutcome } from './webhook-attempts.ts';

export interface CourierOptions extends AttemptOptions {
  /** Whether an alert names a webhook. Only then does it show the webhook's delivery errors. */
  alertNames(alertId: string, webhookId: string): boolean;
  /** Maximum number of concurrent deliveries to one host. */
  perHostMax: number;
}

interface Item extends PendingDelivery {
  /** The receiver itself put off the next attempt, by Retry-After or by 429. */
  receiverDeferred?: boolean;
}

/** The deliveries of one alert to one webhook, sent one by one in the order of their windows. */
interface Queue {
  key: string;
  alertId: string;
  webhookId: string;
  items: Item[];
  /** The queue waits for a slot of its host. */
  ready: boolean;
  sending: boolean;
}

interface Host {
  sending: number;
  ready: Queue[];
}

/**
 * Delivers the outbox. A failed delivery blocks only later deliveries of the same alert to the same
 * webhook; a slow host occupies only its own slots. After one success, all deliveries to the same
 * webhook are due again, except those that the receiver itself put off: a receiver with a rate limit
 * accepts some and refuses others all the time.
 */
export class Courier {
  readonly #options: CourierOptions;
  readonly #queues = new Map<string, Queue>();
  /** Queues without a due delivery, by webhook. */
  readonly #waiting = new Map<string, Set<Queue>>();
  readonly #hosts = new Map<string, Host>();
  readonly #attempts: WebhookAttempts;
  readonly #marks: MarkWriter;
  readonly errors: DeliveryErrors;
  readonly #active = new Map<Queue, Promise<void>>();
  /** Number of requests under way, to all hosts. */
  #sending = 0;
  #stop = new AbortController();

  constructor(options: CourierOptions) {
    this.#options = options;
    this.#attempts = new WebhookAttempts(options);
    this.#marks = new MarkWriter(options.store.alerts, options.log);
    this.errors = new DeliveryErrors(options.store.alerts, options.log);
  }

  async start(): Promise<void> {
    this.#stop = new AbortController();
    await this.#attempts.load();
  }

  /** Aborts the requests under way. The next holder of their shard sends them again. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#marks.hurry();
    await Promise.allSettled(this.#active.values());
    await this.#marks.idle();
    this.#queues.clear();
    this.#waiting.clear();
    this.#hosts.clear();
  }

  async load(shards: readonly number[]): Promise<void> {
    this.#enqueue(await this.#options.store.alerts.pending(shards));
  }

  add(entries: readonly OutboxEntry[]): void {
    this.#enqueue(
      entries.map((entry) => ({ ...entry, attempts: 0, nextAttemptMs: entry.createdAtMs })),
    );
  }

  /** Stops delivering for shards that another process took over. */
  drop(shards: readonly number[]): void {
    const dropped = new Set(shards);
    for (const queue of this.#queues.values()) {
      queue.items = queue.items.filter(({ shard }) => !dropped.has(shard));
      this.#park(queue);
    }
  }

  /** Stops delivering for alerts that were deleted. */
  forget(alertIds: readonly string[]): void {
    const deleted = new Set(alertIds);
    for (const queue of this.#queues.values()) {
      if (!deleted.has(queue.alertId)) {
        continue;
      }
      queue.items = [];
      this.#park(queue);
    }
    this.errors.forget(alertIds);
  }

  /** Starts the deliveries that have become due. */
  wake(): void {
    for (const queues of this.#waiting.values()) {
      for (const queue of queues) {
        if (this.#isDue(queue)) {
          this.#ready(queue);
        }
      }
    }
  }

  /** Whether deliveries are under way. */
  get busy(): boolean {
    return this.#active.size > 0;
  }

  /** Resolves when nothing can be sent until the clock moves on. */
  async idle(): Promise<void> {
    while (this.#active.size > 0) {
      await Promise.allSettled(this.#active.values());
    }
    await this.errors.idle();
  }

  #enqueue(items: readonly PendingDelivery[]): void {
    for (const item of items) {
      const { alertId, webhookId } = item;
      const key = `${alertId}/${webhookId}`;
      let queue = this.#queues.get(key);
      if (!queue) {
        queue = { key, alertId, webhookId, items: [], ready: false, sending: false };
        this.#queues.set(key, queue);
      }
      if (queue.items.some(({ eventId }) => eventId === item.eventId)) {
        continue;
      }
      queue.items.push(item);
      if (queue.items.length === 1) {
        this.#park(queue);
      }
    }
  }

  /** A time beyond the longest wait was written before the clock was set back: it counts as due. */
  #isDue(queue: Queue): boolean {
    const waitMs = (queue.items[0]?.nextAttemptMs ?? 0) - this.#options.clock.now();
    return waitMs <= 0 || waitMs > longestWaitMs;
  }

  #park(queue: Queue): void {
    this.#unpark(queue);
    if (queue.sending || queue.ready) {
      return;
    }
    if (queue.items.length === 0) {
      this.#queues.delete(queue.key);
    } else if (this.#isDue(queue)) {
      this.#ready(queue);
    } else {
      const queues = this.#waiting.get(queue.webhookId);
      if (queues) {
        queues.add(queue);
      } else {
        this.#waiting.set(queue.webhookId, new Set([queue]));
      }
    }
  }

  #unpark(queue: Queue): void {
    const queues = this.#waiting.get(queue.webhookId);
    if (queues?.delete(queue) && queues.size === 0) {
      this.#waiting.delete(queue.webhookId);
    }
  }

  #ready(queue: Queue): void {
    this.#unpark(queue);
    const [item] = queue.items;
    if (!item) {
      return;
    }
    const host = this.#hostOf(item);
    queue.ready = true;
    host.ready.push(queue);
    this.#fill(host);
  }

  #hostOf({ workspaceId, webhookId }: PendingDelivery): Host {
    const name = this.#options.destination(workspaceId, webhookId)?.host ?? '';
    let host = this.#hosts.get(name);
    if (!host) {
      host = { sending: 0, ready: [] };
      this.#hosts.set(name, host);
    }
    return host;
  }

  #fill(host: Host): void {
    while (host.sending < this.#options.perHostMax && !this.#stop.signal.aborted) {
      const queue = host.ready.shift();
      if (!queue) {
        return;
      }
      queue.ready = false;
      const item = queue.items[0];
      if (!item) {
        this.#queues.delete(queue.key);
        continue;
      }
      queue.sending = true;
      this.#active.set(queue, this.#work(host, queue, item));
    }
  }

  /** Makes one attempt, records its outcome and schedules the rest of the queue. */
  async #work(host: Host, queue: Queue, item: Item): Promise<void> {
    const retry = await this.#deliver(host, queue, item);
    this.#active.delete(queue);
    queue.sending = false;
    if (queue.items[0] === item) {
      if (retry) {
        queue.items[0] = retry;
      } else {
        queue.items.shift();
      }
    }
    if (!this.#stop.signal.aborted) {
      this.#park(queue);
    }
  }

  /** Returns the delivery to try again; undefined after the last attempt. */
  async #deliver(host: Host, queue: Queue, item: Item): Promise<Item | undefined> {
    try {
      const attempts = item.attempts + 1;
      const outcome = await this.#attemptInSlot(host, item, attempts);
      if (outcome === 'stopped') {
        return item;
      }
      const nextAttemptMs =
        this.#options.clock.now() + (outcome.kind === 'retry' ? outcome.delayMs : 0);
      // The outcome is durable before the queue goes on. Otherwise a crash could send an older event
      // after a newer one.
      const marked = this.#marks.write(markOf(item, attempts, nextAttemptMs, outcome));
      if (queue.items.length > 1 || this.#sending === 0) {
        this.#marks.hurry();
      }
      await marked;
      this.#showOutcome(item, outcome);
      if (outcome.kind !== 'retry') {
        return undefined;
      }
      return {
        ...item,
        attempts,
        nextAttemptMs,
        receiverDeferred: outcome.receiverDeferred === true,
      };
    } catch (error) {
      this.#options.log.warn(
        { err: error, alertId: item.alertId, webhookId: item.webhookId },
        'cannot record delivery; retrying',
      );
      return { ...item, nextAttemptMs: this.#options.clock.now() + 1000 };
    }
  }

  /** A slot of the host is held for the request only: recording its outcome needs none. */
  async #attemptInSlot(
    host: Host,
    item: PendingDelivery,
    attempts: number,
  ): Promise<AttemptOutcome | 'stopped'> {
    host.sending++;
    this.#sending++;
    try {
      return await this.#attempts.send(item, attempts, this.#stop.signal);
    } finally {
      host.sending--;
      this.#sending--;
      this.#fill(host);
    }
  }

  /** Shows the outcome in the alert's delivery errors and in the log. */
  #showOutcome(item: PendingDelivery, outcome: Verdict): void {
    if (outcome.kind === 'delivered') {
      this.errors.clear(item.alertId, item.webhookId);
      for (const queue of this.#waiting.get(item.webhookId) ?? []) {
        if (!queue.items[0]?.receiverDeferred) {
          this.#ready(queue);
        }
      }
      return;
    }
    if (this.#options.alertNames(item.alertId, item.webhookId)) {
      this.errors.set(item.alertId, item.webhookId, outcome.error, this.#options.clock.now());
    }
    this.#options.log.warn(
      {
        alertId: item.alertId,
        webhookId: item.webhookId,
        eventId: item.eventId,
        reason: outcome.error,
      },
      'notification not delivered',
    );
  }
}

const markOutcomes = {
  delivered: 'delivered',
  retry: 'pending',
  failed: 'failed',
  gone: 'failed',
} as const satisfies Record<Verdict['kind'], DeliveryMark['outcome']>;

function markOf(
  { eventId, webhookId }: PendingDelivery,
  attempts: number,
  nextAttemptMs: number,
  outcome: AttemptOutcome,
): DeliveryMark {
  return {
    eventId,
    webhookId,
    attempts,
    outcome: markOutcomes[outcome.kind],
    nextAttemptMs,
    error: outcome.kind === 'delivered' ? null : outcome.error,
    attempt: outcome.attempt,
  };
}
