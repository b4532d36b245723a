import type { IncomingMessage } from 'node:http';

/**
 * The `Authorization` header, if there is exactly one. Of several Node keeps the first and a proxy in front may have looked at the last: nobody
 * is let in on such a request.
 */
export function soleAuthorization({
  rawHeaders,
  headers,
}: Pick<IncomingMessage, 'rawHeaders' | 'headers'>): string | undefined {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 13 && name.toLowerCase() === 'authorization' && ++count > 1) {
      return undefined;
    }
  }
  return headers.authorization;
}
