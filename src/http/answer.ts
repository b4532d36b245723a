import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Fault } from '../contract/errors.ts';
import type { Outcome } from '../core/verb/outcome.ts';
import { entityTag } from './entity-tag.ts';
import type { Allowance } from './rate-limit.ts';
import { missingShardsHeader } from './openapi/partial-result.ts';
import { statusOf } from './request-fault.ts';
import type { Surface } from './surface.ts';

/** A whole response, ready to be sent or kept. Header names in lower case. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** On every response, whatever happens. Frozen: copying it is one step for the engine. */
export const standingHeaders: Readonly<Record<string, string>> = Object.freeze({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});

export const jsonType = 'application/json; charset=utf-8';

export function successAnswer(
  surface: Surface,
  outcome: Outcome<unknown>,
  requestId: string,
): Answer {
  const headers: Record<string, string> = { 'x-request-id': requestId };
  if (outcome.version !== undefined) {
    headers['etag'] = entityTag(outcome.version);
  }
  if (outcome.page) {
    headers['x-total-count'] = String(outcome.page.total);
  }
  if (outcome.sessionToken !== undefined && surface.sessionCookie) {
    headers['set-cookie'] = surface.sessionCookie(outcome.sessionToken);
  }
  if (outcome.statistics) {
    headers['x-sightline-rows-read'] = String(outcome.statistics.rowsRead);
    headers['x-sightline-elapsed'] = String(outcome.statistics.elapsedMs);
    const { missingShards } = outcome.statistics;
    if (missingShards.length > 0) {
      headers[missingShardsHeader.toLowerCase()] = missingShards.join(', ');
    }
  }
  return { status: 200, headers, body: surface.ok(jsonOf(outcome.value), outcome, requestId) };
}

/** Texts of values that are handed out again and again, and cannot have changed. */
const texts = new WeakMap<object, string>();

function jsonOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.isFrozen(value)) {
    return JSON.stringify(value) as string | undefined;
  }
  const known = texts.get(value);
  if (known !== undefined) {
    return known;
  }
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
}

/**
 * Writes a whole answer at once. All its headers are known here, and are checked by Node alone:
 * setting them one by one on the reply costs a read more than finding what it answers.
 * @param others headers that plugins have put on the reply; looking for them costs time, so only
 * where there may be some.
 */
export function writeAnswer(
  reply: FastifyReply,
  { status, headers, body }: Answer,
  others: boolean,
  allowance: Allowance | null = null,
): void {
  const all: OutgoingHttpHeaders = {
    ...standingHeaders,
    ...headers,
    ...allowance?.headers,
    'content-type': jsonType,
    'content-length': Buffer.byteLength(body),
  };
  reply.raw.writeHead(
    status,
    others ? { ...(reply.getHeaders() as OutgoingHttpHeaders), ...all } : all,
  );
  reply.raw.end(body);
}

export function faultAnswer(
  surface: Surface,
  fault: Fault,
  request: { requestId: string; path: string },
): Answer {
  const status = statusOf(fault);
  const headers: Record<string, string> = { 'x-request-id': request.requestId };
  if (status === 401) {
    headers['www-authenticate'] = surface.challenge;
  }
  const retryAfterSeconds = fault.retryAfterSeconds ?? (status === 503 ? 5 : undefined);
  if (retryAfterSeconds !== undefined) {
    headers['retry-after'] = String(retryAfterSeconds);
  }
  return { status, headers, body: JSON.stringify(surface.error(fault, { status, ...request })) };
}
