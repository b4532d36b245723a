import { describe, expect, it } from 'vitest';
import { EgressRefused } from '../../ports/egress.ts';
import { egressGuard } from './egress-guard.ts';

const resolves = (address: string) =>
  egressGuard({ resolver: async () => [{ address, family: address.includes(':') ? 6 : 4 }] });

describe('egressGuard', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/',
    'http://192.0.2.7/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://localhost/',
    'http://[::1]/',
    'http://[::]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[fd12:3456::1]/',
    'http://[ff02::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:db8::1]/',
    'http://[2001::1]/',
  ])('refuses %s', async (url) => {
    await expect(egressGuard().check(new URL(url))).rejects.toBeInstanceOf(EgressRefused);
  });

  it.each([
    'http://93.184.216.34/',
    'http://172.32.0.1/',
    'http://11.0.0.1/',
    'http://[2606:2800:220:1::1]/',
    'http://[::ffff:8.8.8.8]/',
  ])('lets %s through', async (url) => {
    await expect(egressGuard().check(new URL(url))).resolves.toBeUndefined();
  });

  it.each(['127.0.0.1', '10.0.0.9', '::1', '::ffff:10.0.0.9', 'fe80::1'])(
    'refuses a name that stands for %s, without telling the address',
    async (address) => {
      const refusal = await resolves(address)
        .resolve('receiver.example')
        .then(
          () => '',
          (error: Error) => error.message,
        );
      expect(refusal).toMatch(/^receiver\.example resolves to a loopback, private/);
      expect(refusal).not.toContain(address);
    },
  );

  it('refuses a name when only one of its addresses is private', async () => {
    const guard = egressGuard({
      resolver: async () => [
        { address: '93.184.216.34', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ],
    });
    await expect(guard.resolve('mixed.example')).rejects.toBeInstanceOf(EgressRefused);
  });

  it('answers the checked addresses, so that they can be connected to', async () => {
    expect(await resolves('93.184.216.34').resolve('receiver.example')).toEqual([
      { address: '93.184.216.34', family: 4 },
    ]);
  });

  it('lets allow-listed hosts and ranges through, and nothing beside them', async () => {
    const guard = egressGuard({
      allow: ['127.0.0.0/8', 'receiver.internal', '::1', '192.168.7.7'],
      resolver: async () => [{ address: '10.0.0.9', family: 4 }],
    });
    await guard.check(new URL('http://127.0.0.1:9000/'));
    await guard.check(new URL('http://[::1]/'));
    await guard.check(new URL('http://192.168.7.7/'));
    await guard.check(new URL('http://Receiver.Internal./'));
    await expect(guard.check(new URL('http://192.168.7.8/'))).rejects.toBeInstanceOf(EgressRefused);
    await expect(guard.check(new URL('http://other.internal/'))).rejects.toBeInstanceOf(
      EgressRefused,
    );
  });

  it('a name that does not resolve passes at save and fails at use', async () => {
    const guard = egressGuard({
      resolver: async () => {
        throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
      },
    });
    await guard.check(new URL('https://later.example/'));
    await expect(guard.resolve('later.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it.each(['10.0.0.0/33', 'not a host', 'host/8', '::/129'])(
    'an allow-list entry that means nothing is an error at start: %s',
    (entry) => {
      expect(() => egressGuard({ allow: [entry] })).toThrow(entry);
    },
  );
});
