import { createHmac } from 'node:crypto';

/** The value of `webhook-signature` for `id.timestamp.body`. */
export type Sign = (content: string) => string;

/**
 * The headers of Standard Webhooks. With a secret the body is signed (HMAC-SHA-256 over
 * `id.timestamp.body`); without one there is no `webhook-signature`.
 */
export function signedHeaders(
  id: string,
  sentAtMs: number,
  body: string,
  sign: Sign | undefined,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAtMs / 1000));
  if (!sign) {
    return { 'webhook-id': id, 'webhook-timestamp': timestamp };
  }
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': sign(`${id}.${timestamp}.${body}`),
  };
}

/** A secret that begins with `whsec_` is the key in base64; any other secret is the key in UTF-8. */
export function signer(secret: string): Sign {
  const key = keyOf(secret);
  return (content) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

const prefix = 'whsec_';

function keyOf(secret: string): Buffer {
  return secret.startsWith(prefix)
    ? Buffer.from(secret.slice(prefix.length), 'base64')
    : Buffer.from(secret, 'utf8');
}
