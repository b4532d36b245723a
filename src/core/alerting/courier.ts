import type { DeliveryMark, OutboxEntry, PendingDelivery } from '../../ports/alert-store.ts';
import type { Clock, Log } from '../../ports/ambient.ts';
import type { Store } from '../../ports/store.ts';
import type { WebhookAttempt, WebhookRequest, WebhookSender } from '../../ports/webhook-sender.ts';
import { DeliveryErrors } from './delivery-errors.ts';
import { verdict, type Verdict } from './delivery-verdict.ts';
import { MarkWriter } from './mark-writer.ts';
import type { ToRequest } from './message/request.ts';
import { longestWaitMs } from './retry-schedule.ts';

/** One version of a webhook, as it is needed for sending. */
export interface Destination {
  id: string;
  version: number;
  name: string;
  /** Host and port of its address. */
  host: string;
  toRequest: ToRequest;
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
  /** Whether an alert names a webhook now: what others do not take is no trouble of its any more. */
  names(alertId: string, webhookId: string): boolean;
  perHostMax: number;
}

interface Item extends PendingDelivery {
  /** Its receiver named the time of the next attempt, or said that it is told too much. */
  asked?: boolean;
}

/** Deliveries of one alert to one webhook: one after the other, in the order of their windows. */
interface Queue {
  key: string;
  webhookId: string;
  items: Item[];
  /** In the line of its host. */
  ready: boolean;
  sending: boolean;
}

interface Host {
  sending: number;
  ready: Queue[];
}

/**
 * Delivers the outbox. A delivery that fails holds up only what comes after it for the same alert and webhook; a host that is slow holds only
 * its own places. One success sets everything free that waits for the same webhook, except what the receiver
 * itself has put off: a receiver that limits its rate takes some and refuses others all the time.
 */
export class Courier {
  readonly #options: CourierOptions;
  readonly #queues = new Map<string, Queue>();
  /** Queues of which nothing is due yet, by webhook. */
  readonly #waiting = new Map<string, Set<Queue>>();
  readonly #hosts = new Map<string, Host>();
  readonly #marks: MarkWriter;
  readonly errors: DeliveryErrors;
  readonly #active = new Map<Queue, Promise<void>>();
  /** Requests under way, to whatever host. */
  #sending = 0;
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
      if (!gone.has(queue.key.split('/')[0]!)) {
        continue;
      }
      queue.items = [];
      this.#park(queue);
    }
    this.errors.forget(alertIds);
  }

  /** Starts what has become due. */
  wake(): void {
    for (const queues of this.#waiting.values()) {
      for (const queue of queues) {
        if (this.#isDue(queue)) {
          this.#ready(queue);
        }
      }
    }
  }

  /** Whether attempts are under way. */
  get busy(): boolean {
    return this.#active.size > 0;
  }

  /** Resolves when nothing can be sent before the clock moves on. */
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
        this.#queues.set(
          key,
          (queue = { key, webhookId, items: [], ready: false, sending: false }),
        );
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

  /** A time farther away than any wait was written by a clock that has since been set back. */
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
    const host = this.#hostOf(queue.items[0]!);
    queue.ready = true;
    host.ready.push(queue);
    this.#fill(host);
  }

  #hostOf({ workspaceId, webhookId }: PendingDelivery): Host {
    const name = this.#options.destination(workspaceId, webhookId)?.host ?? '';
    let host = this.#hosts.get(name);
    if (!host) {
      this.#hosts.set(name, (host = { sending: 0, ready: [] }));
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

  /** One attempt with its mark, and what comes next of the queue. */
  async #work(host: Host, queue: Queue, item: Item): Promise<void> {
    const again = await this.#deliver(host, queue, item);
    this.#active.delete(queue);
    queue.sending = false;
    if (queue.items[0] === item) {
      if (again) {
        queue.items[0] = again;
      } else {
        queue.items.shift();
      }
    }
    if (!this.#stop.signal.aborted) {
      this.#park(queue);
    }
  }

  /** The delivery as it goes on, or undefined where it is over. */
  async #deliver(host: Host, queue: Queue, item: Item): Promise<Item | undefined> {
    try {
      const attempts = item.attempts + 1;
      const decided = await this.#inPlace(host, item, attempts);
      if (decided === 'stopped') {
        return item;
      }
      const nextAttemptMs =
        this.#options.clock.now() + (decided.kind === 'retry' ? decided.delayMs : 0);
      // Before the next of this queue is sent: after a crash nothing may come back older than what was delivered since.
      const marked = this.#marks.write(markOf(item, attempts, nextAttemptMs, decided));
      if (queue.items.length > 1 || this.#sending === 0) {
        this.#marks.hurry();
      }
      await marked;
      this.#tell(item, decided);
      if (decided.kind !== 'retry') {
        return undefined;
      }
      return { ...item, attempts, nextAttemptMs, asked: decided.asked === true };
    } catch (error) {
      this.#options.log.warn(
        { error, alertId: item.alertId, webhookId: item.webhookId },
        'a delivery could not be recorded; it is made again',
      );
      return { ...item, nextAttemptMs: this.#options.clock.now() + 1000 };
    }
  }

  /** A place at the host is for the request only: writing down what came of it keeps nobody waiting but its own queue. */
  async #inPlace(
    host: Host,
    item: PendingDelivery,
    attempts: number,
  ): Promise<Verdict | 'stopped'> {
    host.sending++;
    this.#sending++;
    try {
      return await this.#attempt(item, attempts);
    } finally {
      host.sending--;
      this.#sending--;
      this.#fill(host);
    }
  }

  async #attempt(item: PendingDelivery, attempts: number): Promise<Verdict | 'stopped'> {
    const { sender, clock, random } = this.#options;
    const target = this.#options.destination(item.workspaceId, item.webhookId);
    if (!target) {
      return { kind: 'failed', error: `the webhook ${item.webhookId} is gone` };
    }
    if (this.#disabled.get(target.id) === target.version) {
      return {
        kind: 'failed',
        error: named(target, 'answered 410 earlier: nothing is sent to it until it is changed'),
      };
    }
    const request = this.#request(target, item);
    const attempt: WebhookAttempt = request
      ? await sender.send(request, this.#stop.signal)
      : { kind: 'refused', reason: unmade, elapsedMs: 0 };
    if (this.#stop.signal.aborted) {
      return 'stopped';
    }
    const decided = verdict(attempt, attempts, random(), clock.now());
    if (decided.kind === 'gone') {
      this.#disabled.set(target.id, target.version);
      await this.#options.store.alerts.disableWebhook(target.id, target.version);
    }
    return decided.kind === 'delivered'
      ? decided
      : { ...decided, error: named(target, decided.error) };
  }

  #request(target: Destination, item: PendingDelivery): WebhookRequest | undefined {
    try {
      return target.toRequest(item.eventId, item.event, this.#options.clock.now());
    } catch (error) {
      this.#options.log.warn({ error, webhookId: target.id }, 'a notification could not be made');
      return undefined;
    }
  }

  #tell(item: PendingDelivery, decided: Verdict): void {
    if (decided.kind === 'delivered') {
      this.errors.clear(item.alertId, item.webhookId);
      for (const queue of this.#waiting.get(item.webhookId) ?? []) {
        if (!queue.items[0]?.asked) {
          this.#ready(queue);
        }
      }
      return;
    }
    if (this.#options.names(item.alertId, item.webhookId)) {
      this.errors.set(item.alertId, item.webhookId, decided.error, this.#options.clock.now());
    }
    this.#options.log.warn(
      {
        alertId: item.alertId,
        webhookId: item.webhookId,
        eventId: item.eventId,
        error: decided.error,
      },
      'a notification was not delivered',
    );
  }
}

const unmade =
  'nothing could be sent: what is stored of its secrets does not open (was SIGHTLINE_SECRET_KEY changed?) or its template cannot be filled in; save it again with its secrets';

function markOf(
  { eventId, webhookId }: PendingDelivery,
  attempts: number,
  nextAttemptMs: number,
  decided: Verdict,
): DeliveryMark {
  const outcome =
    decided.kind === 'delivered' ? 'delivered' : decided.kind === 'retry' ? 'pending' : 'failed';
  return {
    eventId,
    webhookId,
    attempts,
    outcome,
    nextAttemptMs,
    error: decided.kind === 'delivered' ? null : decided.error,
  };
}

function named({ name, id }: Destination, what: string): string {
  return `webhook ${name} (${id}): ${what}`;
}
