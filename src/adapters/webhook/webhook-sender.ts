import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { EgressRefused, type Egress } from '../../ports/egress.ts';
import type { WebhookAttempt, WebhookRequest, WebhookSender } from '../../ports/webhook-sender.ts';

export interface WebhookSenderOptions {
  egress: Egress;
  /** From the first byte sent to the last byte read. */
  timeoutMs?: number;
  /** Certificates to trust besides the usual ones; for tests and private authorities. */
  ca?: string;
}

/** More of an answer is neither kept nor shown. */
const answerMaxBytes = 4096;

/**
 * Sends webhooks over pooled connections, each opened to an address that the guard has just
 * allowed.
 */
export function createWebhookSender({
  egress,
  timeoutMs = 15_000,
  ca,
}: WebhookSenderOptions): WebhookSender {
  const dispatcher = new Agent({
    connect: guardedConnector(egress, timeoutMs, ca),
    connections: 64,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    bodyTimeout: timeoutMs,
    headersTimeout: timeoutMs,
  });
  const stops = new Stops();
  const places = new Places();
  return {
    send: (message, signal) => send({ dispatcher, timeoutMs, stops, places }, message, signal),
    close: () => dispatcher.destroy(),
  };
}

/**
 * The name is resolved and checked here, for each new connection, and the connection goes to that
 * very address; the name stays what TLS verifies.
 */
function guardedConnector(
  egress: Egress,
  timeoutMs: number,
  ca: string | undefined,
): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, ...(ca !== undefined && { ca }) });
  const open = async (
    options: buildConnector.Options,
    callback: buildConnector.Callback,
  ): Promise<void> => {
    let address: string;
    try {
      [{ address }] = await egress.resolve(options.hostname);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    const servername =
      options.servername ?? (isIP(options.hostname) === 0 ? options.hostname : undefined);
    connect(
      { ...options, hostname: address, ...(servername !== undefined && { servername }) },
      callback,
    );
  };
  return (options, callback) => void open(options, callback);
}

interface Sending {
  dispatcher: Dispatcher;
  timeoutMs: number;
  stops: Stops;
  places: Places;
}

/**
 * One request by the dispatcher's own callbacks: a stream and signals for each would cost more than
 * the request.
 */
function send(
  { dispatcher, timeoutMs, stops, places }: Sending,
  { url, headers, body }: WebhookRequest,
  signal: AbortSignal | undefined,
): Promise<WebhookAttempt> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let ended = false;
    let status = 0;
    let retryAfter: string | undefined;
    const kept: Buffer[] = [];
    let bytes = 0;
    const end = (attempt: Ended): void => {
      if (ended) {
        return;
      }
      ended = true;
      clearTimeout(timer);
      forget();
      resolve({ ...attempt, elapsedMs: Math.round(performance.now() - startedMs) });
    };
    const answered = (): void =>
      end({
        kind: 'response',
        status,
        body: Buffer.concat(kept).subarray(0, answerMaxBytes).toString('utf8'),
        ...(retryAfter !== undefined && { retryAfter }),
      });
    const giveUp = (why: string): void => {
      end({ kind: 'unreachable', reason: why });
      controller?.abort(new Error(why));
    };
    const timer = setTimeout(
      () => giveUp(`no complete response within ${timeoutMs / 1000} s`),
      timeoutMs,
    );
    const forget = stops.add(signal, () => giveUp('the request was canceled'));
    const { origin, path } = places.parsed(url);
    dispatcher.dispatch(
      { origin, path, method: 'POST', headers, body },
      {
        onRequestStart(started) {
          controller = started;
          // It waited for a connection until nobody wanted it any more.
          if (ended) {
            started.abort(new Error('canceled before the connection was open'));
          }
        },
        onResponseStart(_, code, answerHeaders) {
          status = code;
          const given = answerHeaders['retry-after'];
          if (typeof given === 'string') {
            retryAfter = given;
          }
        },
        onResponseData(_, chunk) {
          if (bytes < answerMaxBytes) {
            kept.push(chunk);
          }
          bytes += chunk.length;
          // Read to the end, so that the connection can be used again, unless there is no end in
          // sight.
          if (bytes <= 16 * answerMaxBytes) {
            return;
          }
          answered();
          controller?.abort(new Error('enough'));
        },
        onResponseEnd: answered,
        onResponseError(_, error) {
          const refused = refusal(error);
          end(
            refused
              ? { kind: 'refused', reason: refused.message }
              : { kind: 'unreachable', reason: reason(error) },
          );
        },
      },
    );
  });
}

type Ended = WebhookAttempt extends infer A
  ? A extends WebhookAttempt
    ? Omit<A, 'elapsedMs'>
    : never
  : never;

/**
 * What is under way, by the signal that stops it: one listener for each signal, not for each
 * request.
 */
class Stops {
  readonly #running = new WeakMap<AbortSignal, Set<() => void>>();

  /** Returns how to take it back. */
  add(signal: AbortSignal | undefined, stop: () => void): () => void {
    if (!signal) {
      return () => {};
    }
    let running = this.#running.get(signal);
    if (!running) {
      const listening = (running = new Set<() => void>());
      this.#running.set(signal, listening);
      signal.addEventListener(
        'abort',
        () => {
          for (const one of listening) {
            one();
          }
        },
        { once: true },
      );
    }
    running.add(stop);
    if (signal.aborted) {
      queueMicrotask(stop);
    }
    return () => void running.delete(stop);
  }
}

interface Place {
  origin: string;
  path: string;
}

/** Addresses taken apart, those that were used lately. */
class Places {
  readonly #known = new Map<string, Place>();

  parsed(url: string): Place {
    const known = this.#known.get(url);
    if (known) {
      return known;
    }
    const { origin, pathname, search } = new URL(url);
    const place = { origin, path: `${pathname}${search}` };
    if (this.#known.size >= placesMax) {
      this.#known.clear();
    }
    this.#known.set(url, place);
    return place;
  }
}

const placesMax = 1000;

function refusal(error: unknown): EgressRefused | undefined {
  if (error instanceof EgressRefused) {
    return error;
  }
  return error instanceof Error && error.cause !== undefined ? refusal(error.cause) : undefined;
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  UND_ERR_SOCKET: 'the server closed the connection before it responded',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'the response timed out',
  UND_ERR_BODY_TIMEOUT: 'the response body timed out',
  ENOTFOUND: 'its host name does not resolve',
  EAI_AGAIN: 'its host name cannot be resolved at the moment',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not from a trusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not from a trusted authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/** In our own words: an error's text can carry the address with its secrets. */
function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (reasons[code] !== undefined) {
    return reasons[code];
  }
  if (/CERT|TLS|SSL|EPROTO/.test(code)) {
    return 'the TLS handshake failed';
  }
  return error instanceof Error && error.cause !== undefined
    ? reason(error.cause)
    : 'the request failed';
}
