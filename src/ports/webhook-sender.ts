export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  /** JSON. */
  body: string;
}

/**
 * What came of one attempt. `response`: the receiver answered, whatever it said; `body` is the
 * beginning of it. `refused`: the address is not allowed. `unreachable`: no answer (name,
 * connection, certificate, reset, timeout); `reason` is safe to show.
 */
export type WebhookAttempt =
  | { kind: 'response'; status: number; body: string; retryAfter?: string; elapsedMs: number }
  | { kind: 'refused' | 'unreachable'; reason: string; elapsedMs: number };

/** Sends one request. Never throws for what the receiver does. */
export interface WebhookSender {
  send(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookAttempt>;
  close(): Promise<void>;
}
