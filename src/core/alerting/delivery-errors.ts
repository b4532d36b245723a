import type { AlertStore, ExecutionError } from '../../ports/alert-store.ts';
import type { Log } from '../../ports/ambient.ts';

/** What alerts show of their deliveries: one error for each webhook that does not take what it is sent. */
export class DeliveryErrors {
  readonly #store: AlertStore;
  readonly #log: Log;
  readonly #byAlert = new Map<string, Map<string, ExecutionError>>();
  readonly #writes = new Set<Promise<void>>();

  constructor(store: AlertStore, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** As stored; which webhook each is of is no longer known, so that the next success clears them all. */
  load(alertId: string, errors: readonly ExecutionError[]): void {
    if (errors.length > 0) {
      this.#byAlert.set(alertId, new Map(errors.map((error, index) => [`stored ${index}`, error])));
    }
  }

  set(alertId: string, webhookId: string, message: string, sinceMs: number): void {
    const errors = this.#byAlert.get(alertId) ?? new Map<string, ExecutionError>();
    const before = errors.get(webhookId);
    if (before?.message === message) {
      return;
    }
    for (const key of errors.keys()) {
      if (key.startsWith('stored ')) {
        errors.delete(key);
      }
    }
    errors.set(webhookId, { type: 'WEBHOOK_ERROR', message, sinceMs: before?.sinceMs ?? sinceMs });
    this.#byAlert.set(alertId, errors);
    this.#write(alertId, errors);
  }

  clear(alertId: string, webhookId: string): void {
    const errors = this.#byAlert.get(alertId);
    if (!errors) {
      return;
    }
    for (const key of errors.keys()) {
      if (key === webhookId || key.startsWith('stored ')) {
        errors.delete(key);
      }
    }
    if (errors.size === 0) {
      this.#byAlert.delete(alertId);
    }
    this.#write(alertId, errors);
  }

  /** The alert names these webhooks only: what others did not take is no trouble of it any more. A stored message has the webhook's id in it. */
  keep(alertId: string, webhookIds: readonly string[]): void {
    const errors = this.#byAlert.get(alertId);
    if (!errors) {
      return;
    }
    const before = errors.size;
    for (const [key, { message }] of errors) {
      if (!webhookIds.some((id) => key === id || message.includes(`(${id})`))) {
        errors.delete(key);
      }
    }
    if (errors.size === before) {
      return;
    }
    if (errors.size === 0) {
      this.#byAlert.delete(alertId);
    }
    this.#write(alertId, errors);
  }

  forget(alertIds: readonly string[]): void {
    for (const id of alertIds) {
      this.#byAlert.delete(id);
    }
  }

  async idle(): Promise<void> {
    while (this.#writes.size > 0) {
      await Promise.all(this.#writes);
    }
  }

  #write(alertId: string, errors: ReadonlyMap<string, ExecutionError>): void {
    const work = this.#store
      .setDeliveryErrors(alertId, [...errors.values()])
      .catch((error: unknown) =>
        this.#log.warn(
          { error, alertId },
          'what an alert shows of its deliveries could not be written',
        ),
      )
      .finally(() => this.#writes.delete(work));
    this.#writes.add(work);
  }
}
