import type { AlertStore, StoredExecutionError } from '../../../ports/store/alert-store.ts';
import type { Log } from '../../../ports/ambient.ts';

/** The delivery errors that alerts show: one for each webhook whose deliveries fail. */
export class DeliveryErrors {
  readonly #store: AlertStore;
  readonly #log: Log;
  readonly #byAlert = new Map<string, Map<string, StoredExecutionError>>();
  readonly #writes = new Set<Promise<void>>();

  constructor(store: AlertStore, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Loads stored errors. Their webhooks are no longer known, so the next success clears them all. */
  load(alertId: string, errors: readonly StoredExecutionError[]): void {
    if (errors.length > 0) {
      this.#byAlert.set(alertId, new Map(errors.map((error, index) => [`stored ${index}`, error])));
    }
  }

  set(alertId: string, webhookId: string, message: string, sinceMs: number): void {
    const errors = this.#byAlert.get(alertId) ?? new Map<string, StoredExecutionError>();
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

  /** Keeps the errors of these webhooks only. A stored message contains the webhook's id. */
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

  #write(alertId: string, errors: ReadonlyMap<string, StoredExecutionError>): void {
    const work = this.#store
      .setDeliveryErrors(alertId, [...errors.values()])
      .catch((error: unknown) =>
        this.#log.warn({ err: error, alertId }, 'cannot save delivery errors of alert'),
      )
      .finally(() => this.#writes.delete(work));
    this.#writes.add(work);
  }
}
