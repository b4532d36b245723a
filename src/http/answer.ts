import type { Fault } from '../contract/errors.ts';
import type { Outcome } from '../core/verb.ts';
import { entityTag } from './entity-tag.ts';
import { statusOf } from './request-fault.ts';
import type { Surface } from './surface.ts';

/** A whole response, ready to be sent or kept. Header names in lower case. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** On every response, whatever happens. */
export const standingHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export const jsonType = 'application/json; charset=utf-8';

export function successAnswer(surface: Surface, outcome: Outcome<unknown>, requestId: string): Answer {
  const headers: Record<string, string> = { 'x-request-id': requestId };
  if (outcome.version !== undefined) headers['etag'] = entityTag(outcome.version);
  if (outcome.page) headers['x-total-count'] = String(outcome.page.total);
  return { status: 200, headers, body: JSON.stringify(surface.ok(outcome, requestId)) };
}

export function faultAnswer(surface: Surface, fault: Fault, request: { requestId: string; path: string }): Answer {
  const status = statusOf(fault);
  const headers: Record<string, string> = { 'x-request-id': request.requestId };
  if (status === 401) headers['www-authenticate'] = surface.challenge;
  const retryAfterSeconds = fault.retryAfterSeconds ?? (status === 503 ? 5 : undefined);
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
  return { status, headers, body: JSON.stringify(surface.error(fault, { status, ...request })) };
}
