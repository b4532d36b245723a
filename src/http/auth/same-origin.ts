import type { IncomingHttpHeaders } from 'node:http';
import { Fault } from '../../contract/errors.ts';

/**
 * Keeps out what a page of another origin makes a browser send. Three signs have to agree: the
 * browser's own word, the origin, and a header that another origin cannot add without CORS.
 * @throws Fault forbidden
 */
export function requireSameOrigin(
  headers: IncomingHttpHeaders,
  publicOrigin: string | undefined,
): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') {
    throw crossSite('Sec-Fetch-Site is not same-origin');
  }
  if (!isOwnOrigin(headers, publicOrigin)) {
    throw crossSite('Origin is not the web interface');
  }
  if (headers['x-sightline'] !== '1') {
    throw crossSite('the header X-Sightline: 1 is missing');
  }
}

/** The origin of the interface, or the host to which the request went. */
function isOwnOrigin({ origin, host }: IncomingHttpHeaders, publicOrigin: string | undefined) {
  if (origin === undefined) {
    return false;
  }
  return (
    origin === publicOrigin ||
    origin === `http://${host ?? ''}` ||
    origin === `https://${host ?? ''}`
  );
}

const crossSite = (reason: string): Fault =>
  new Fault('forbidden', `this request does not come from the web interface: ${reason}`);
