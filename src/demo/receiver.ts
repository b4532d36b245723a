import { randomBytes } from 'node:crypto';
import type { Clock } from '../ports/ambient.ts';
import type { Egress } from '../ports/egress.ts';
import type { WebhookAttempt, WebhookRequest, WebhookSender } from '../ports/webhook-sender.ts';

/** What has arrived for a team since the start of the process. */
export interface Received {
  count: number;
  lastAtMs: number;
}

/** A name that no resolver knows (RFC 2606): such a webhook reaches nothing but this process. */
const origin = 'http://demo-receiver.invalid';

/**
 * The receiver of the demo's webhook. It is in the process itself, so that the demo needs neither
 * another port nor an address that the egress guard refuses. The path of its URL is random: only
 * who knows the webhook of a team can send to it.
 */
export class DemoReceiver {
  readonly #clock: Clock;
  readonly #owners = new Map<string, string>();
  readonly #received = new Map<string, Received>();
  readonly #listeners = new Set<(body: string) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The URL of a new webhook. */
  newUrl(): string {
    return `${origin}/${randomBytes(16).toString('hex')}`;
  }

  /** Counts what arrives at this URL for the team. Another URL is none of the receiver's. */
  listen(workspaceId: string, url: string): void {
    if (isOurs(url)) {
      this.#owners.set(url, workspaceId);
    }
  }

  received(workspaceId: string): Received | undefined {
    return this.#received.get(workspaceId);
  }

  /** Calls the listener with the body of each notification. */
  onNotification(listener: (body: string) => void): void {
    this.#listeners.add(listener);
  }

  /** A sender that hands requests to the receiver to it, and all others to `next`. */
  before(next: WebhookSender): WebhookSender {
    return {
      send: (request, signal) =>
        isOurs(request.url) ? this.#take(request) : next.send(request, signal),
      close: () => next.close(),
    };
  }

  /** An egress guard that lets webhooks name the receiver: no connection follows from it. */
  allowedBy(egress: Egress): Egress {
    return {
      check: async (url) => (isOurs(url.href) ? undefined : egress.check(url)),
      resolve: (hostname) => egress.resolve(hostname),
    };
  }

  async #take({ url, body }: WebhookRequest): Promise<WebhookAttempt> {
    const workspaceId = this.#owners.get(url);
    if (workspaceId !== undefined) {
      const { count } = this.#received.get(workspaceId) ?? { count: 0 };
      this.#received.set(workspaceId, { count: count + 1, lastAtMs: this.#clock.now() });
      for (const listener of this.#listeners) {
        listener(body);
      }
    }
    return { kind: 'response', status: 204, body: '', elapsedMs: 0 };
  }
}

const isOurs = (url: string): boolean => url.startsWith(`${origin}/`);
