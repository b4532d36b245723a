import type { Clock, Log } from '../../../ports/ambient.ts';
import type { PendingDelivery, StoredAttempt } from '../../../ports/store/alert-store.ts';
import type { Store } from '../../../ports/store/store.ts';
import type {
  WebhookAttempt,
  WebhookRequest,
  WebhookSender,
} from '../../../ports/webhook-sender.ts';
import { describe, verdict, type Verdict } from './delivery-verdict.ts';
import type { Destination } from './destination.ts';

export interface AttemptOptions {
  store: Store;
  sender: WebhookSender;
  /** The store's time. */
  clock: Clock;
  log: Log;
  /** From 0 to 1, for jitter. */
  random: () => number;
  /** The current version of a webhook; undefined if it was deleted. */
  destination(workspaceId: string, webhookId: string): Destination | undefined;
}

/** The verdict on an attempt, with what to keep of it; no request was made if that is absent. */
export type AttemptOutcome = Verdict & { attempt?: StoredAttempt };

/** Sends a notification once and judges the result. Disables webhooks that are gone. */
export class WebhookAttempts {
  readonly #options: AttemptOptions;
  /** Version in which a webhook returned 410, by id. */
  #disabled = new Map<string, number>();

  constructor(options: AttemptOptions) {
    this.#options = options;
  }

  async load(): Promise<void> {
    this.#disabled = await this.#options.store.alerts.disabledWebhooks();
  }

  async send(
    item: PendingDelivery,
    attempts: number,
    signal: AbortSignal,
  ): Promise<AttemptOutcome | 'stopped'> {
    const { sender, clock, random } = this.#options;
    const target = this.#options.destination(item.workspaceId, item.webhookId);
    if (!target) {
      return { kind: 'failed', error: `the webhook ${item.webhookId} does not exist` };
    }
    if (this.#disabled.get(target.id) === target.version) {
      return {
        kind: 'failed',
        error: withName(target, 'returned 410 earlier; change the webhook to send to it again'),
      };
    }
    const startedMs = clock.now();
    const request = this.#request(target, item);
    const attempt: WebhookAttempt = request
      ? await sender.send(request, signal)
      : { kind: 'refused', reason: unusableWebhook, elapsedMs: 0 };
    if (signal.aborted) {
      return 'stopped';
    }
    const outcome = verdict(attempt, attempts, random(), clock.now());
    if (outcome.kind === 'gone') {
      this.#disabled.set(target.id, target.version);
      await this.#options.store.alerts.disableWebhook(target.id, target.version);
    }
    const kept = storedAttempt(target, attempt, startedMs);
    return outcome.kind === 'delivered'
      ? { ...outcome, attempt: { ...kept, error: null } }
      : { ...outcome, error: withName(target, outcome.error), attempt: kept };
  }

  #request(target: Destination, item: PendingDelivery): WebhookRequest | undefined {
    try {
      return target.toRequest(item.eventId, item.event, this.#options.clock.now());
    } catch (error) {
      this.#options.log.warn({ err: error, webhookId: target.id }, 'cannot render notification');
      return undefined;
    }
  }
}

function storedAttempt(target: Destination, attempt: WebhookAttempt, atMs: number): StoredAttempt {
  const body = attempt.kind === 'response' ? target.keptBody(attempt.body) : '';
  return {
    atMs,
    status: attempt.kind === 'response' ? attempt.status : null,
    elapsedMs: attempt.elapsedMs,
    body: body === '' ? null : body,
    error: describe(attempt),
  };
}

const unusableWebhook =
  'cannot build the request: the stored secrets cannot be decrypted (check SIGHTLINE_SECRET_KEY), ' +
  'or the template cannot be rendered; save the webhook again with its secrets';

function withName({ name, id }: Destination, what: string): string {
  return `webhook ${name} (${id}): ${what}`;
}
