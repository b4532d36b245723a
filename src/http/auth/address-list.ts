import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * An address in the one form that everything here compares, logs and keeps: IPv4 where it is IPv4,
 * mapped or not.
 */
export interface Address {
  text: string;
  family: 'ipv4' | 'ipv6';
}

/** Undefined for text that is no address. A zone (`fe80::1%eth0`) is no part of it. */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) {
    return { text, family: 'ipv4' };
  }
  const bare = withoutZone(text);
  if (!isIPv6(bare)) {
    return undefined;
  }
  const mapped = mappedIPv4(bare);
  return mapped === undefined
    ? { text: bare.toLowerCase(), family: 'ipv6' }
    : { text: mapped, family: 'ipv4' };
}

/**
 * Addresses and CIDRs, IPv4 and IPv6. An IPv6 entry covers IPv4 addresses only where it lies in
 * `::ffff:0:0/96`.
 */
export class AddressList {
  readonly #ipv4 = new BlockList();
  readonly #ipv6 = new BlockList();
  readonly #remembered = new Map<string, boolean>();

  /** @throws TypeError for an entry that is neither an address nor a CIDR. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      this.#add(entry);
    }
  }

  /** False for what is no address. */
  includes(text: string): boolean {
    const known = this.#remembered.get(text);
    if (known !== undefined) {
      return known;
    }
    const address = parseAddress(text);
    const inside =
      address !== undefined &&
      (address.family === 'ipv4' ? this.#ipv4 : this.#ipv6).check(address.text, address.family);
    // Callers come back from the same few addresses; a scan from many must not grow this.
    if (this.#remembered.size < 1000) {
      this.#remembered.set(text, inside);
    }
    return inside;
  }

  #add(entry: string): void {
    const slash = entry.lastIndexOf('/');
    const host = withoutZone(slash < 0 ? entry : entry.slice(0, slash));
    const wide = isIPv4(host) ? 32 : 128;
    const prefix = slash < 0 ? wide : wholeNumber(entry.slice(slash + 1));
    if (!(isIPv4(host) || isIPv6(host)) || prefix === undefined || prefix > wide) {
      throw new TypeError(`${JSON.stringify(entry)} is neither an IP address nor a CIDR`);
    }
    if (wide === 32) {
      return this.#ipv4.addSubnet(host, prefix, 'ipv4');
    }
    const mapped = prefix >= 96 ? mappedIPv4(host) : undefined;
    if (mapped === undefined) {
      return this.#ipv6.addSubnet(host, prefix, 'ipv6');
    }
    return this.#ipv4.addSubnet(mapped, prefix - 96, 'ipv4');
  }
}

function withoutZone(text: string): string {
  const percent = text.indexOf('%');
  return percent < 0 ? text : text.slice(0, percent);
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) ? Number(text) : undefined;
}

/**
 * `::ffff:a.b.c.d` in any of its spellings (`::ffff:0a01:203`, `0:0:0:0:0:FFFF:10.1.2.3`) as
 * `a.b.c.d`.
 */
function mappedIPv4(ipv6: string): string | undefined {
  // URL writes an IPv6 address in canonical form: the last 32 bits of a mapped address are two
  // hexadecimal groups.
  const canonical = new URL(`http://[${ipv6}]`).hostname;
  const match = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(canonical);
  if (!match) {
    return undefined;
  }
  const [high = 0, low = 0] = match.slice(1).map((group) => Number.parseInt(group, 16));
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}
