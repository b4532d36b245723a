import type { AddressList } from './address-list.ts';
import { parseAddress } from './address-list.ts';

/** Longer lists of hops than this are somebody's joke. */
const hopsMax = 50;

/**
 * The address of the client. The peer of the connection, unless that is a trusted proxy: then the
 * last hop in X-Forwarded-For that is not one itself. Each proxy adds its peer at the end, so
 * whatever a client invents stands to the left of the truth. Undefined where there is no peer (a
 * Unix socket, a closed connection).
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | string[] | undefined,
  trustedProxies: AddressList,
): string | undefined {
  let client = peer === undefined ? undefined : parseAddress(peer)?.text;
  if (client === undefined || forwardedFor === undefined || !trustedProxies.includes(client)) {
    return client;
  }
  const hops = (Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor).split(',');
  for (const hop of hops.slice(-hopsMax).toReversed()) {
    const address = parseAddress(withoutPort(hop.trim()));
    // No proxy writes this, so only the hops up to here can be trusted.
    if (!address) {
      return client;
    }
    client = address.text;
    if (!trustedProxies.includes(client)) {
      return client;
    }
  }
  return client;
}

/** Some proxies write `1.2.3.4:5678` and `[::1]:5678`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]{1,64})\](?::\d{1,5})?$/.exec(hop)?.[1];
  if (bracketed !== undefined) {
    return bracketed;
  }
  return /^[\d.]{7,15}:\d{1,5}$/.test(hop) ? hop.slice(0, hop.indexOf(':')) : hop;
}
