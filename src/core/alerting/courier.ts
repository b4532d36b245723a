import type { DeliveryMark, OutboxEntry, PendingDelivery } from '../../ports/alert-store.ts';
import type { Clock, Log } from '../../ports/ambient.ts';
import type { Store } from '../../ports/store.ts';
import type { WebhookSender } from '../../ports/webhook-sender.ts';
import { DeliveryErrors } from './delivery-errors.ts';
import { verdict, type Verdict } from './delivery-verdict.ts';
import { MarkWriter } from './mark-writer.ts';
import type { WebhookTarget } from './message/formats.ts';
import { webhookRequest } from './message/request.ts';
import { longestWaitMs } from './retry-schedule.ts';

export interface Destination extends WebhookTarget {
  name: string;
  version: number;
}

export interface CourierOptions {
  store: Store;
  sender: WebhookSender;
  clock: Clock;
  log: Log;
  /** From 0 to 1, for jitter. */
  random: () => number;
  /** The webhook as it is now; undefined where it is gone. */
  destination(workspaceId: string, webhookId: string): Destination | undefined;
  perHostMax: number;
}

/** Deliveries of one alert to one webhook: one after the other, in the order of their windows. */
interface Queue {
  key: string;
  items: PendingDelivery[];
  sending: boolean;
}

interface Host {
  sending: number;
  ready: Queue[];
}

/**
 * Delivers the outbox. A delivery that fails holds up only what comes after it for the same alert and webhook; a host that is slow holds only
 * its own places. One success sets everything free that waits for the same webhook.
 */
export class Courier {
  readonly #options: CourierOptions;
  readonly #queues = new Map<string, Queue>();
  readonly #waiting = new Set<Queue>();
  readonly #hosts = new Map<string, Host>();
  readonly #marks: MarkWriter;
  readonly errors: DeliveryErrors;
  readonly #active = new Set<Promise<void>>();
  #disabled = new Map<string, number>();
  #stop = new AbortController();

  constructor(options: CourierOptions) {
    this.#options = options;
    this.#marks = new MarkWriter(options.store.alerts, options.log);
    this.errors = new DeliveryErrors(options.store.alerts, options.log);
  }

  async start(): Promise<void> {
    this.#stop = new AbortController();
    this.#disabled = await this.#options.store.alerts.disabledWebhooks();
  }

  /** What is under way is given up: it is sent again by whoever has the shard next. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#active);
    await this.#marks.idle();
    this.#queues.clear();
    this.#waiting.clear();
    this.#hosts.clear();
  }

  async load(shards: readonly number[]): Promise<void> {
    this.#enqueue(await this.#options.store.alerts.pending(shards));
  }

  add(entries: readonly OutboxEntry[]): void {
    this.#enqueue(entries.map((entry) => ({ ...entry, attempts: 0, nextAttemptMs: entry.createdAtMs })));
  }

  drop(shards: readonly number[]): void {
    const gone = new Set(shards);
    for (const queue of this.#queues.values()) {
      queue.items = queue.items.filter(({ shard }) => !gone.has(shard));
      this.#park(queue);
    }
  }

  /** Of alerts that are gone nothing more is said. */
  forget(alertIds: readonly string[]): void {
    const gone = new Set(alertIds);
    for (const queue of this.#queues.values()) {
      if (!gone.has(queue.key.split('/')[0]!)) continue;
      queue.items = [];
      this.#park(queue);
    }
    this.errors.forget(alertIds);
  }

  /** Starts what has become due. */
  wake(): void {
    for (const queue of this.#waiting) if (this.#isDue(queue)) this.#ready(queue);
  }

  /** Resolves when nothing can be sent before the clock moves on. */
  async idle(): Promise<void> {
    while (this.#active.size > 0) await Promise.allSettled(this.#active);
    await this.errors.idle();
  }

  #enqueue(items: readonly PendingDelivery[]): void {
    for (const item of items) {
      const key = `${item.alertId}/${item.webhookId}`;
      const queue = this.#queues.get(key) ?? { key, items: [], sending: false };
      this.#queues.set(key, queue);
      if (queue.items.some(({ eventId }) => eventId === item.eventId)) continue;
      queue.items.push(item);
      if (queue.items.length === 1) this.#waiting.add(queue);
    }
    this.wake();
  }

  /** A time farther away than any wait was written by a clock that has since been set back. */
  #isDue(queue: Queue): boolean {
    const waitMs = (queue.items[0]?.nextAttemptMs ?? 0) - this.#options.clock.now();
    return waitMs <= 0 || waitMs > longestWaitMs;
  }

  #park(queue: Queue): void {
    this.#waiting.delete(queue);
    if (queue.sending) return;
    if (queue.items.length === 0) this.#queues.delete(queue.key);
    else if (this.#isDue(queue)) this.#ready(queue);
    else this.#waiting.add(queue);
  }

  #ready(queue: Queue): void {
    this.#waiting.delete(queue);
    const host = this.#hostOf(queue.items[0]!);
    host.ready.push(queue);
    this.#fill(host);
  }

  #hostOf({ workspaceId, webhookId }: PendingDelivery): Host {
    const target = this.#options.destination(workspaceId, webhookId);
    const name = target === undefined ? '' : new URL(target.url).host;
    let host = this.#hosts.get(name);
    if (!host) this.#hosts.set(name, (host = { sending: 0, ready: [] }));
    return host;
  }

  #fill(host: Host): void {
    while (host.sending < this.#options.perHostMax && !this.#stop.signal.aborted) {
      const queue = host.ready.shift();
      if (!queue) return;
      const item = queue.items[0];
      if (!item || queue.sending) continue;
      queue.sending = true;
      host.sending++;
      let left = false;
      // A place at the host is for the request only: writing down what came of it keeps nobody waiting but its own queue.
      const leave = (): void => {
        if (left) return;
        left = true;
        host.sending--;
        this.#fill(host);
      };
      const work = this.#deliver(item, leave).then((again) => this.#finish(queue, item, again)).finally(() => this.#active.delete(work));
      this.#active.add(work);
    }
  }

  #finish(queue: Queue, item: PendingDelivery, again: PendingDelivery | undefined): void {
    queue.sending = false;
    if (queue.items[0] === item) {
      if (again) queue.items[0] = again;
      else queue.items.shift();
    }
    if (!this.#stop.signal.aborted) this.#park(queue);
  }

  /** One attempt with its mark; the delivery as it goes on, or undefined where it is over. */
  async #deliver(item: PendingDelivery, leave: () => void): Promise<PendingDelivery | undefined> {
    try {
      const attempts = item.attempts + 1;
      const decided = await this.#attempt(item, attempts).finally(leave);
      if (decided === 'stopped') return item;
      const nextAttemptMs = this.#options.clock.now() + (decided.kind === 'retry' ? decided.delayMs : 0);
      // Before the next of this queue is sent: after a crash nothing may come back older than what was delivered since.
      await this.#marks.write(markOf(item, attempts, nextAttemptMs, decided));
      this.#tell(item, decided);
      return decided.kind === 'retry' ? { ...item, attempts, nextAttemptMs } : undefined;
    } catch (error) {
      this.#options.log.warn({ error, alertId: item.alertId, webhookId: item.webhookId }, 'a delivery could not be recorded; it is made again');
      return { ...item, nextAttemptMs: this.#options.clock.now() + 1000 };
    }
  }

  async #attempt(item: PendingDelivery, attempts: number): Promise<Verdict | 'stopped'> {
    const { sender, clock, random } = this.#options;
    const target = this.#options.destination(item.workspaceId, item.webhookId);
    if (!target) return { kind: 'failed', error: `the webhook ${item.webhookId} is gone` };
    if (this.#disabled.get(target.id) === target.version) return { kind: 'failed', error: named(target, 'answered 410 earlier: nothing is sent to it until it is changed') };
    const attempt = await sender.send(webhookRequest(target, item.eventId, item.event, clock.now()), this.#stop.signal);
    if (this.#stop.signal.aborted) return 'stopped';
    const decided = verdict(attempt, attempts, random(), clock.now());
    if (decided.kind === 'gone') {
      this.#disabled.set(target.id, target.version);
      await this.#options.store.alerts.disableWebhook(target.id, target.version);
    }
    return decided.kind === 'delivered' ? decided : { ...decided, error: named(target, decided.error) };
  }

  #tell(item: PendingDelivery, decided: Verdict): void {
    if (decided.kind === 'delivered') {
      this.errors.clear(item.alertId, item.webhookId);
      for (const queue of this.#waiting) if (queue.items[0]?.webhookId === item.webhookId) this.#ready(queue);
      return;
    }
    this.errors.set(item.alertId, item.webhookId, decided.error, this.#options.clock.now());
    this.#options.log.warn({ alertId: item.alertId, webhookId: item.webhookId, eventId: item.eventId, error: decided.error }, 'a notification was not delivered');
  }
}

function markOf({ eventId, webhookId }: PendingDelivery, attempts: number, nextAttemptMs: number, decided: Verdict): DeliveryMark {
  const outcome = decided.kind === 'delivered' ? 'delivered' : decided.kind === 'retry' ? 'pending' : 'failed';
  return { eventId, webhookId, attempts, outcome, nextAttemptMs, error: decided.kind === 'delivered' ? null : decided.error };
}

function named({ name, id }: Destination, what: string): string {
  return `webhook ${name} (${id}): ${what}`;
}
