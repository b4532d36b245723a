import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IpSource } from '../../contract/key.ts';
import { AddressList, parseAddress } from './address-list.ts';

const cases: [entries: string[], address: string, inside: boolean][] = [
  [['192.0.2.7'], '192.0.2.7', true],
  [['192.0.2.7'], '192.0.2.8', false],
  [['192.0.2.7'], '::ffff:192.0.2.7', true],
  [['192.0.2.7'], '::ffff:c000:207', true],
  [['192.0.2.7'], '0:0:0:0:0:FFFF:192.0.2.7', true],
  [['::ffff:192.0.2.7'], '192.0.2.7', true],
  [['::ffff:192.0.2.0/120'], '192.0.2.200', true],
  [['::ffff:192.0.2.0/120'], '192.0.3.1', false],
  [['10.1.2.3/8'], '10.200.0.1', true],
  [['10.0.0.0/8'], '11.0.0.0', false],
  [['0.0.0.0/0'], '203.0.113.9', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['::/0'], '2001:db8::1', true],
  [['::/0'], '203.0.113.9', false],
  [['::/64'], '::ffff:203.0.113.9', false],
  [['2001:db8::/32'], '2001:DB8:ffff::1', true],
  [['2001:db8::/32'], '2001:db9::', false],
  [['2001:db8::1'], '2001:0db8:0:0:0:0:0:1', true],
  [['fe80::1'], 'fe80::1%eth0', true],
  [['192.0.2.1', '2001:db8::/64'], '2001:db8::9', true],
  [['192.0.2.1/32'], '192.0.2.1', true],
  [['192.0.2.0/31'], '192.0.2.2', false],
  [[], '192.0.2.1', false],
  [['0.0.0.0/0', '::/0'], 'unknown', false],
  [['0.0.0.0/0', '::/0'], '', false],
  [['0.0.0.0/0', '::/0'], '1.2.3.4, 5.6.7.8', false],
  [['0.0.0.0/0', '::/0'], '0x7f.1', false],
  [['127.0.0.1'], '127.1', false],
];

describe('AddressList', () => {
  it.each(cases)('%j and %s: %s', (entries, address, inside) => {
    const list = new AddressList(entries);
    expect(list.includes(address)).toBe(inside);
    expect(list.includes(address)).toBe(inside);
  });

  it.each([
    '',
    'localhost',
    '10.0.0',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/8 ',
  ])('refuses %j', (entry) => {
    expect(() => new AddressList([entry])).toThrow(TypeError);
  });

  it('takes every entry that the contract takes, and each covers its own address', () => {
    const source = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.tuple(fc.ipV4(), fc.nat(32)).map(([ip, bits]) => `${ip}/${bits}`),
      fc.tuple(fc.ipV6(), fc.nat(128)).map(([ip, bits]) => `${ip}/${bits}`),
    );
    fc.assert(
      fc.property(source, (entry) => {
        fc.pre(IpSource.safeParse(entry).success);
        const [host = '', bits] = entry.split('/');
        // An IPv6 block that is wider than the mapped addresses covers none of them, its own
        // spelling included.
        const wide =
          parseAddress(host)?.family === 'ipv4' &&
          host.includes(':') &&
          bits !== undefined &&
          Number(bits) < 96;
        expect(new AddressList([entry]).includes(host)).toBe(!wide);
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with arithmetic on IPv4 blocks', () => {
    const number = (ip: string): number =>
      ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.nat(32), (network, address, bits) => {
        const size = 2 ** (32 - bits);
        const expected = Math.floor(number(network) / size) === Math.floor(number(address) / size);
        expect(new AddressList([`${network}/${bits}`]).includes(address)).toBe(expected);
        expect(new AddressList([`${network}/${bits}`]).includes(`::ffff:${address}`)).toBe(
          expected,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('remembers a bounded number of callers, and stays right beyond it', () => {
    const list = new AddressList(['10.0.0.0/16']);
    for (let index = 0; index < 3000; index++) {
      expect(list.includes(`10.${index >> 8}.0.${index & 255}`)).toBe(index < 256);
    }
  });
});
