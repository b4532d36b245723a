import { isIP, type LookupFunction } from 'node:net';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import type { Egress } from '../../ports/egress.ts';

/**
 * Host name to give to a socket instead of the real one. It is never an IP address, because a
 * socket calls its lookup function only for names.
 */
export const guardedName = 'guarded.invalid';

/**
 * Lookup function that returns only addresses which the egress guard allows. It resolves `host`,
 * whatever name the socket was given.
 */
export function guardedLookup(egress: Egress, host: string): LookupFunction {
  return (_name, options, callback) => {
    void resolveInto(egress, host, options.all === true, callback);
  };
}

async function resolveInto(
  egress: Egress,
  host: string,
  all: boolean,
  callback: Parameters<LookupFunction>[2],
): Promise<void> {
  try {
    const [first, ...rest] = await egress.resolve(host);
    if (all) {
      callback(
        null,
        [first, ...rest].map(({ address, family }) => ({ address, family })),
      );
    } else {
      callback(null, first.address, first.family);
    }
  } catch (error) {
    callback(error as NodeJS.ErrnoException, []);
  }
}

/**
 * TLS options for a socket that was given `guardedName`: the certificate must be the one of `host`.
 */
export function tlsIdentity(
  host: string,
): Pick<ConnectionOptions, 'servername' | 'checkServerIdentity'> {
  return {
    ...(isIP(host) === 0 ? { servername: host } : {}),
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
  };
}
