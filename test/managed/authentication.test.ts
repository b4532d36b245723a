import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type ApiKit } from '../kit/api.ts';
import { rawGet } from './raw-get.ts';
import { attacks } from './attacks.ts';

let api: ApiKit;
/** Trusts the machine itself as a proxy. */
let proxied: ApiKit;
beforeAll(async () => {
  api = await startApi();
  proxied = await startApi({ trustedProxies: ['127.0.0.1', '10.0.0.0/8'] });
});
afterAll(async () => {
  await api.stop();
  await proxied.stop();
});

const envelope = (status: number) => ({
  status,
  requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  error: expect.stringMatching(/^[A-Z_]+: ./),
});

describe('Basic authentication under attack', () => {
  it('five hundred attacks: none succeeds, none is a 5xx, every answer is a plain envelope', async () => {
    const { keyId, keySecret } = api.managed;
    const all = attacks({
      keyId,
      keySecret,
      accessKey: api.first.accessKey,
      ingestionKey: api.first.ingestionKey,
    });
    expect(all.length).toBeGreaterThanOrEqual(500);
    const inside = async () =>
      (await rawGet(api.port, '/v1/organizations', [`Authorization: ${api.managed.authorization}`]))
        .status;
    expect(await inside()).toBe(200);
    const statuses = new Map<number, number>();
    const outcomes = await Promise.all(
      chunks(all, 20).map(async (chunk) => {
        const failed: string[] = [];
        for (const { name, lines } of chunk) {
          const { status, text, body } = await rawGet(api.port, '/v1/organizations', lines);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          // 400 and 431: the bytes are no HTTP request, or too many; the parser refused them before
          // anybody looked.
          const expected = [401, 400, 431].includes(status) && !text.includes(keySecret);
          if (!expected) {
            failed.push(`${name}: ${status}`);
          } else if (
            status === 401 &&
            !text.toLowerCase().includes('www-authenticate: basic realm=')
          ) {
            failed.push(`${name}: no challenge`);
          }
          // Of headers larger than a packet not even the path is known.
          else if (status !== 431) {
            expect(JSON.parse(body)).toEqual(envelope(status));
          }
        }
        return failed;
      }),
    );
    expect(outcomes.flat()).toEqual([]);
    expect(statuses.get(401)).toBeGreaterThan(450);
    expect(await inside()).toBe(200);
  });

  it('unknown, wrong, disabled and expired are not told apart', async () => {
    const disabled = await api.newKey(['admin']);
    const expired = await api.newKey(['admin']);
    await api.managed.organization('PATCH', `/keys/${disabled.id}`, {
      body: { state: 'disabled' },
    });
    await api.managed.organization('PATCH', `/keys/${expired.id}`, {
      body: { expireAt: '2020-01-01T00:00:00Z' },
    });
    const answers = await Promise.all(
      [
        api.keyOf({ ...api.managed, keyId: 'nobodynobodynobody12' }),
        api.keyOf({ ...api.managed, keySecret: 'wrong' }),
        disabled,
        expired,
        api.keyOf({ ...disabled, keySecret: 'wrong' }),
      ].map((key) => key.organization('GET', '/keys')),
    );
    const plain = answers.map(({ status, json, headers }) => ({
      status,
      error: json.error,
      keys: Object.keys(json),
      headers: [...headers.keys()].filter((name) => name !== 'date'),
      challenge: headers.get('www-authenticate'),
    }));
    expect(plain[0]!.status).toBe(401);
    for (const answer of plain) {
      expect(answer).toEqual(plain[0]);
    }
  });
});

describe('Basic authentication by address', () => {
  it.each([
    [['203.0.113.7'], '203.0.113.7', 200],
    [['203.0.113.7'], '203.0.113.8', 403],
    [['203.0.113.0/24'], '203.0.113.200', 200],
    [['203.0.113.0/24'], '203.0.114.1', 403],
    [['2001:db8::/32'], '2001:db8:1::5', 200],
    [['2001:db8::/32'], '2001:db9::5', 403],
    [['203.0.113.7'], '::ffff:203.0.113.7', 200],
    [['::ffff:203.0.113.0/120'], '203.0.113.9', 200],
    [['198.51.100.1', '2001:db8::1'], '2001:DB8::1', 200],
    [[], '192.0.2.1', 200],
    [['203.0.113.7'], '203.0.113.7, 192.0.2.1', 403],
    [['203.0.113.7'], '192.0.2.1, 203.0.113.7', 200],
    [['203.0.113.7'], '203.0.113.7, 10.1.2.3', 200],
    [['203.0.113.7'], '203.0.113.7, nonsense', 403],
    [['127.0.0.1'], undefined, 200],
    [['0.0.0.0/0'], '2001:db8::1', 403],
  ])(
    'a key for %j, used from %s behind a trusted proxy: %i',
    async (sources, forwardedFor, status) => {
      const key = await proxied.newKey(['developer']);
      await proxied.managed.organization('PATCH', `/keys/${key.id}`, {
        body: { ipAccessList: sources.map((source) => ({ source })) },
      });
      const answer = await key.organization(
        'GET',
        '',
        forwardedFor === undefined ? {} : { headers: { 'x-forwarded-for': forwardedFor } },
      );
      expect(answer.status).toBe(status);
      if (status === 403) {
        expect(answer.json).toEqual({
          ...envelope(403),
          error: expect.stringContaining('FORBIDDEN: '),
        });
      }
      await proxied.store.identity.removeOrganizationKey(key.organizationId, key.id);
    },
  );

  it('without a trusted proxy no header moves a caller to another address', async () => {
    const key = await api.newKey(['admin']);
    await api.managed.organization('PATCH', `/keys/${key.id}`, {
      body: { ipAccessList: [{ source: '203.0.113.7' }] },
    });
    const names = [
      'X-Forwarded-For',
      'X-Real-IP',
      'X-Client-IP',
      'True-Client-IP',
      'CF-Connecting-IP',
      'Fastly-Client-IP',
      'X-Cluster-Client-IP',
      'X-Forwarded',
      'Forwarded-For',
      'X-Originating-IP',
      'X-Remote-Addr',
      'X-ProxyUser-Ip',
      'Client-IP',
      'Via',
    ];
    const lines = [
      ...names.map((name) => `${name}: 203.0.113.7`),
      'Forwarded: for=203.0.113.7',
      'Forwarded: for="203.0.113.7";proto=https',
      'X-Forwarded-For: 203.0.113.7, 127.0.0.1',
      'X-Forwarded-For: 127.0.0.1, 203.0.113.7',
      'X-Forwarded-For: ::ffff:203.0.113.7',
    ];
    for (const line of lines) {
      const { status, body } = await rawGet(api.port, '/v1/organizations', [
        `Authorization: ${key.authorization}`,
        line,
      ]);
      expect([line, status, JSON.parse(body)]).toEqual([line, 403, envelope(403)]);
    }
    const wrong = api.keyOf({ ...key, keySecret: 'wrong' });
    expect((await wrong.organization('GET', '')).status).toBe(401);
  });

  it('an audit line shows the address a trusted proxy reports', async () => {
    await proxied.managed.organization('POST', '/keys', {
      body: {},
      headers: { 'x-forwarded-for': '198.51.100.77' },
    });
    expect(
      (await proxied.managed.organization('GET', '/activities?limit=1&operation=createKey')).json
        .result[0].address,
    ).toBe('198.51.100.77');
  });
});

function chunks<T>(items: readonly T[], count: number): T[][] {
  return Array.from({ length: count }, (_, index) =>
    items.filter((_item, position) => position % count === index),
  );
}
