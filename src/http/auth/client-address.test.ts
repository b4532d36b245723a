import { describe, expect, it } from 'vitest';
import { AddressList } from './address-list.ts';
import { clientAddress } from './client-address.ts';

const trusted = new AddressList(['10.0.0.0/8', '::1', '2001:db8:ffff::/48']);

const cases: [
  peer: string | undefined,
  forwardedFor: string | string[] | undefined,
  client: string | undefined,
][] = [
  ['203.0.113.5', undefined, '203.0.113.5'],
  ['203.0.113.5', '192.0.2.1', '203.0.113.5'],
  ['::ffff:203.0.113.5', '192.0.2.1', '203.0.113.5'],
  ['10.0.0.1', undefined, '10.0.0.1'],
  ['10.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['::ffff:10.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['::1', '192.0.2.1', '192.0.2.1'],
  ['10.0.0.1', '198.51.100.9, 192.0.2.1', '192.0.2.1'],
  ['10.0.0.1', '198.51.100.9, 192.0.2.1, 10.9.9.9', '192.0.2.1'],
  ['10.0.0.1', '198.51.100.9 ,192.0.2.1,::ffff:10.9.9.9', '192.0.2.1'],
  ['10.0.0.1', ['198.51.100.9', '192.0.2.1'], '192.0.2.1'],
  ['10.0.0.1', '192.0.2.1:4711', '192.0.2.1'],
  ['10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
  ['10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
  ['10.0.0.1', '2001:DB8::1', '2001:db8::1'],
  ['10.0.0.1', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
  ['10.0.0.1', '192.0.2.1, unknown', '10.0.0.1'],
  ['10.0.0.1', '192.0.2.1, garbage, 10.2.2.2', '10.2.2.2'],
  ['10.0.0.1', '', '10.0.0.1'],
  ['10.0.0.1', ',,,', '10.0.0.1'],
  ['10.0.0.1', `${'192.0.2.9,'.repeat(5000)}192.0.2.1`, '192.0.2.1'],
  ['10.0.0.1', '127.0.0.1', '127.0.0.1'],
  [undefined, '192.0.2.1', undefined],
];

describe('clientAddress', () => {
  it.each(cases)('peer %s, X-Forwarded-For %j: %s', (peer, forwardedFor, client) => {
    expect(clientAddress(peer, forwardedFor, trusted)).toBe(client);
  });

  it('believes no header where no proxy is trusted', () => {
    expect(clientAddress('127.0.0.1', '192.0.2.1', new AddressList([]))).toBe('127.0.0.1');
  });
});
