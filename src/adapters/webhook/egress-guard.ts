import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { EgressRefused, type Egress, type EgressAddress } from '../../ports/egress.ts';

export interface EgressGuardOptions {
  /** Hosts (exact names) and addresses or CIDRs that may be reached although private. */
  allow?: readonly string[];
  /** For tests that change what a name stands for. */
  resolver?: (hostname: string) => Promise<EgressAddress[]>;
}

/** @throws TypeError naming an allow-list entry that is neither a host nor a CIDR. */
export function egressGuard(options: EgressGuardOptions = {}): Egress {
  const { hosts, ranges } = allowList(options.allow ?? []);
  const lookUp = options.resolver ?? systemLookup;

  const resolve = async (hostname: string): Promise<[EgressAddress, ...EgressAddress[]]> => {
    const host = bare(hostname);
    const family = isIP(host);
    const addresses =
      family === 0
        ? await lookUp(host)
        : [{ address: host, family: family === 4 ? (4 as const) : (6 as const) }];
    const [first, ...rest] = addresses;
    if (!first) {
      throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
    }
    if (!hosts.has(host)) {
      for (const { address } of addresses) {
        if (!isPublic(address) && !within(ranges, address)) {
          throw new EgressRefused(refusal(host, family !== 0));
        }
      }
    }
    return [first, ...rest];
  };

  return {
    resolve,
    check: async (url) => {
      try {
        await resolve(url.hostname);
      } catch (error) {
        if (error instanceof EgressRefused) {
          throw error;
        }
      }
    },
  };
}

/** Callers must not learn the addresses of internal names. */
function refusal(host: string, isAddress: boolean): string {
  return (
    `${host} ${isAddress ? 'is' : 'resolves to'} a loopback, private, link-local or reserved ` +
    'address; an operator can allow it with SIGHTLINE_EGRESS_ALLOW'
  );
}

async function systemLookup(hostname: string): Promise<EgressAddress[]> {
  const addresses = await lookup(hostname, { all: true, verbatim: true });
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

function bare(hostname: string): string {
  const host =
    hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return host.toLowerCase().replace(/\.$/, '');
}

function allowList(entries: readonly string[]): { hosts: Set<string>; ranges: BlockList } {
  const hosts = new Set<string>();
  const ranges = new BlockList();
  for (const raw of entries) {
    const entry = bare(raw.trim());
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address);
    if (family === 0) {
      if (prefix !== undefined || !/^[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/.test(entry)) {
        throw new TypeError(`${raw}: is neither a host name nor an address or CIDR`);
      }
      hosts.add(entry);
      continue;
    }
    const bitsMax = family === 4 ? 32 : 128;
    const bits = prefix === undefined ? bitsMax : Number(prefix);
    if (!/^\d*$/.test(prefix ?? '') || prefix === '' || bits > bitsMax) {
      throw new TypeError(`${raw}: has no valid prefix length`);
    }
    ranges.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  }
  return { hosts, ranges };
}

/** IANA's special-purpose registries: what is not globally reachable, and multicast. */
const reserved4 = subnets('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
const global6 = subnets('ipv6', ['2000::/3']);
const reserved6 = subnets('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

function subnets(family: 'ipv4' | 'ipv6', ranges: string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/**
 * Only what is certainly public: any IPv6 outside 2000::/3 is not, and an IPv4 address in IPv6
 * dress is judged as IPv4.
 */
function isPublic(address: string): boolean {
  if (isIP(address) === 4) {
    return !reserved4.check(address, 'ipv4');
  }
  const mapped = mappedIpv4(address);
  if (mapped !== undefined) {
    return !reserved4.check(mapped, 'ipv4');
  }
  return global6.check(address, 'ipv6') && !reserved6.check(address, 'ipv6');
}

/**
 * BlockList judges `::ffff:a.b.c.d` against IPv4 ranges by itself; so an allowed IPv4 range covers
 * that dress too.
 */
function within(ranges: BlockList, address: string): boolean {
  return ranges.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** The IPv4 address in `::ffff:…`, in either notation. */
function mappedIpv4(address: string): string | undefined {
  const host = new URL(`http://[${address.split('%')[0]}]`).hostname;
  const match = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host);
  if (!match) {
    return undefined;
  }
  const [, highHex = '', lowHex = ''] = match;
  const [high, low] = [Number.parseInt(highHex, 16), Number.parseInt(lowHex, 16)];
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}
