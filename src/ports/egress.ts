import { Fault } from '../contract/errors.ts';

/** An address a name stands for right now. */
export interface EgressAddress {
  address: string;
  family: 4 | 6;
}

/**
 * Keeps requests that a caller caused (webhooks, pipe sources) away from loopback, private,
 * link-local and reserved addresses, unless the operator allow-listed them. Ask with `check` when a
 * URL is saved, and again with `resolve` for every connection: then connect to the very address
 * that was answered, so that a name cannot change between the check and the use.
 */
export interface Egress {
  /**
   * For saving. A name that does not resolve just now passes: it is asked again when it is used.
   * @throws EgressRefused
   */
  check(url: URL): Promise<void>;
  /**
   * The addresses of a host, all of them allowed. `hostname` may be an address, with or without the
   * brackets of a URL.
   * @throws EgressRefused when any of them is not allowed.
   * @throws Error with the resolver's `code` when the name does not resolve.
   */
  resolve(hostname: string): Promise<[EgressAddress, ...EgressAddress[]]>;
}

/** The message names the host and the reason, and is safe to show. */
export class EgressRefused extends Fault {
  constructor(message: string) {
    super('bad_request', message);
    this.name = 'EgressRefused';
  }
}
