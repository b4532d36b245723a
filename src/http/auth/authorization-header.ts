import type { IncomingMessage } from 'node:http';

/**
 * The `Authorization` header, if there is exactly one. If there are several, Node keeps the first,
 * but a proxy in front may have checked the last: such a request is not authenticated.
 */
export function soleAuthorization({
  rawHeaders,
  headers,
}: Pick<IncomingMessage, 'rawHeaders' | 'headers'>): string | undefined {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 13 && name.toLowerCase() === 'authorization' && ++count > 1) {
      return undefined;
    }
  }
  return headers.authorization;
}
