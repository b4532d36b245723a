import { createHmac } from 'node:crypto';

/**
 * The headers of Standard Webhooks. With a secret the body is signed (HMAC-SHA-256 over `id.timestamp.body`); without one there is no
 * `webhook-signature`. A secret that begins with `whsec_` is base64 of the key; any other text is the key itself, as UTF-8.
 */
export function signedHeaders(id: string, sentAtMs: number, body: string, secret: string | undefined): Record<string, string> {
  const timestamp = String(Math.floor(sentAtMs / 1000));
  const headers: Record<string, string> = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (secret !== undefined) headers['webhook-signature'] = `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  return headers;
}

const prefix = 'whsec_';

function keyOf(secret: string): Buffer {
  return secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret, 'utf8');
}
