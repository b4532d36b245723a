import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUser } from '../../src/core/identity/provision.ts';
import { hashPassword } from '../../src/core/identity/credentials.ts';
import { http, type JsonAnswer } from '../kit/http.ts';
import { Browser, day, startUiKit, type UiKit } from '../kit/ui.ts';

let kit: UiKit;
beforeAll(async () => {
  kit = await startUiKit({ rateLimit: 'off', trustedProxies: ['127.0.0.1'] });
});
afterAll(() => kit.stop());

/** An address of its own for a test, so that it does not share the failures of others. */
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

/** Another user of the first team, with the password `a second password`. */
async function newUser(email: string) {
  const { store, ids, vault, first } = kit;
  const passwordHash = await hashPassword('a second password');
  return createUser(
    { store, ids, vault },
    { workspaceId: first.workspace.id, email, passwordHash },
  );
}

describe('a sign-in', () => {
  it('sets a cookie that scripts and other sites cannot use, and answers who it is', async () => {
    const browser = kit.browser();
    const { status, json, text } = await browser.signIn(' Ada@Example.com ', kit.first.password);
    expect(status).toBe(200);
    expect(browser.setCookie).toMatch(
      /^sightline=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
    );
    expect(json.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
      user: { id: expect.any(String) as string, email: 'ada@example.com' },
      role: 'admin',
      scopes: expect.arrayContaining(['stack:write', 'members:write', 'audit:read']) as string[],
      team: { id: kit.first.workspace.id, name: 'default' },
      organizationId: kit.first.organizationId,
      serviceId: kit.first.serviceId,
      hasPassword: true,
      createdAt: expect.any(String) as string,
      expiresAt: new Date(Date.parse(json.data.createdAt) + 30 * day).toISOString(),
    });
    const token = browser.cookie?.split('=')[1] ?? '';
    expect(text).not.toContain(token);
    expect((await browser.call('GET', '/api/v2/session')).json).toEqual(json);
    const [stored] = await kit.store.identity.sessions(json.data.user.id);
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it('behind https has a cookie that only this host can set', async () => {
    const secure = await startUiKit({ publicUrl: 'https://sightline.example.com' });
    const browser = secure.browser();
    const answer = await browser.signIn(secure.first.email, secure.first.password, {
      headers: { origin: 'https://sightline.example.com' },
    });
    const { cookie, setCookie } = browser;
    const plain = await browser.call('GET', '/api/v2/session', {
      headers: { cookie: cookie?.replace('__Host-', '') ?? '' },
    });
    await secure.stop();
    expect([answer.status, plain.status]).toEqual([200, 401]);
    expect(setCookie).toMatch(/^__Host-sightline=[\w-]{43}; Path=\/; .*; Secure$/);
  });

  it('fails with one text for a wrong password, an unknown account and one without a password', async () => {
    await createUser(kit, { workspaceId: kit.first.workspace.id, email: 'sso@example.com' });
    const answers = [];
    for (const email of ['ada@example.com', 'nobody@example.com', 'sso@example.com']) {
      const { status, json, headers } = await kit
        .browser()
        .signIn(email, 'not the password', from('192.0.2.1'));
      answers.push([status, json.message, headers.get('set-cookie')]);
      expect(headers.get('www-authenticate')).toBe('Session realm="sightline"');
    }
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]).toEqual([401, 'The e-mail address or the password is wrong.', null]);
  });

  it('is refused after five failures of an account within 15 minutes, the right password too', async () => {
    await newUser('five@example.com');
    const tried = (password: string) =>
      kit.browser().signIn('five@example.com', password, from('192.0.2.2'));
    const failures = await Promise.all(Array.from({ length: 8 }, () => tried('wrong')));
    expect(failures.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(5).fill(401),
      ...Array<number>(3).fill(429),
    ]);
    const refused = await tried('a second password');
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([
      429,
      expect.closeTo(900, -2),
    ]);
    kit.clock.aheadMs += 15 * 60_000;
    expect((await tried('a second password')).status).toBe(200);
  });

  it('is refused after twenty failures of an address, whatever the accounts', async () => {
    const tried = (index: number) =>
      kit.browser().signIn(`user${index}@example.com`, 'wrong', from('192.0.2.3'));
    const answers = await Promise.all(Array.from({ length: 22 }, (_, index) => tried(index)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
    const elsewhere = kit.browser();
    expect((await elsewhere.signIn('ada@example.com', kit.first.password)).status).toBe(200);
  });

  it('and its failures are on record, with the account where there is one', async () => {
    await newUser('recorded@example.com');
    const place = from('192.0.2.4');
    await kit.browser().signIn('recorded@example.com', 'wrong', place);
    await kit.browser().signIn('unknown@example.com', 'wrong', place);
    await kit.browser().signIn('recorded@example.com', 'a second password', place);
    await kit.api?.trail.flush();
    const { items } = await kit.store.audit.list(
      { operation: 'createSession' },
      { limit: 100, offset: 0 },
    );
    const lines = items.filter(({ address }) => address === '192.0.2.4');
    const user = await kit.store.identity.userByEmail('recorded@example.com');
    const { organizationId } = kit.first;
    expect(lines).toHaveLength(3);
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          outcome: 'success',
          organizationId,
          actor: { kind: 'user', id: user?.id, name: 'recorded@example.com' },
        }),
        expect.objectContaining({
          outcome: 'denied',
          code: 'unauthorized',
          organizationId,
          actor: { kind: 'anonymous', id: null, name: null },
          object: { kind: 'user', id: user?.id },
        }),
        expect.objectContaining({ outcome: 'denied', organizationId: null }),
      ]),
    );
    expect(JSON.stringify(lines)).not.toContain('unknown@example.com');
  });
});

describe('a session', () => {
  it('is read on the port of the interface only', async () => {
    const { cookie = '' } = await kit.signedIn();
    const headers = { cookie, origin: kit.apiUrl, 'x-sightline': '1' };
    expect((await http('GET', `${kit.apiUrl}/api/v2/team`, { headers })).status).toBe(401);
    const body = { email: kit.first.email, password: kit.first.password };
    const signIn = await http('POST', `${kit.apiUrl}/api/v2/session`, { headers, body });
    expect([signIn.status, signIn.headers.get('set-cookie')]).toEqual([403, null]);
    expect(signIn.json.message).toContain('SIGHTLINE_UI_PORT');
  });

  const own = (url: string) => ({
    origin: url,
    'sec-fetch-site': 'same-origin',
    'x-sightline': '1',
  });
  it.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another host of the site', { 'sec-fetch-site': 'same-site' }],
    ['from another origin', { origin: 'https://evil.example.com' }],
    ['from an opaque origin', { origin: 'null' }],
    ['without an origin', { origin: undefined }],
    ['without the header of the interface', { 'x-sightline': undefined }],
  ])('changes nothing for a request %s', async (_name, wrong) => {
    const { cookie = '' } = await kit.signedIn();
    const named = { ...own(kit.ui), cookie, ...wrong };
    const headers = Object.fromEntries(
      Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    const body = { name: 'not to be made' };
    const made = await http('POST', `${kit.ui}/api/v2/team/access-keys`, { headers, body });
    expect([made.status, made.json.code]).toEqual([403, 'forbidden']);
    const signIn = await http('POST', `${kit.ui}/api/v2/session`, {
      headers,
      body: { email: kit.first.email, password: kit.first.password },
    });
    expect([signIn.status, signIn.headers.get('set-cookie')]).toEqual([403, null]);
  });

  it('counts neither twice in one request nor in another form', async () => {
    const { cookie = '' } = await kit.signedIn();
    const statusWith = async (text: string) =>
      (await http('GET', `${kit.ui}/api/v2/team`, { headers: { cookie: text } })).status;
    expect(await statusWith(`other=1; ${cookie}; more=2`)).toBe(200);
    expect(await statusWith(`${cookie}; ${cookie}`)).toBe(401);
    expect(await statusWith(`${cookie}=`)).toBe(401);
    expect(await statusWith(cookie.slice(0, -1))).toBe(401);
    expect(await statusWith('')).toBe(401);
  });

  it('ends at the sign-out, which removes the cookie', async () => {
    const browser = await kit.signedIn();
    const copy = new Browser(kit.ui);
    copy.cookie = browser.cookie;
    expect((await browser.call('DELETE', '/api/v2/session')).status).toBe(200);
    expect(browser.setCookie).toMatch(/^sightline=; .*Max-Age=0/);
    expect((await copy.call('GET', '/api/v2/team')).status).toBe(401);
  });

  it('is listed with its browser, and ends when its user ends it; those of others do not exist', async () => {
    const here = await kit.signedIn();
    const there = await kit.signedIn();
    const list = (await here.call('GET', '/api/v2/sessions')).json.data as JsonAnswer[];
    expect(list.filter(({ current }) => current)).toEqual([
      expect.objectContaining({ address: '127.0.0.1', browser: 'Test Browser/1.0' }),
    ]);
    const { id } = (await there.call('GET', '/api/v2/session')).json.data;
    expect(list.map((one) => one.id)).toContain(id);
    await newUser('other@example.com');
    const other = kit.browser();
    await other.signIn('other@example.com', 'a second password');
    expect((await other.call('DELETE', `/api/v2/sessions/${id}`)).status).toBe(404);
    expect((await there.call('GET', '/api/v2/team')).status).toBe(200);
    expect((await here.call('DELETE', `/api/v2/sessions/${id}`)).status).toBe(200);
    expect((await there.call('GET', '/api/v2/team')).status).toBe(401);
  });

  it('ends after 7 days without a request, and after 30 days in any case', async () => {
    const idle = await kit.signedIn();
    const busy = await kit.signedIn();
    const statusOf = async (browser: Browser) =>
      (await browser.call('GET', '/api/v2/session')).status;
    for (let passed = 6; passed < 30; passed += 6) {
      kit.clock.aheadMs += 6 * day;
      expect(await statusOf(busy)).toBe(200);
      await kit.api?.usage.flush();
    }
    expect(await statusOf(idle)).toBe(401);
    kit.clock.aheadMs += 6 * day;
    expect(await statusOf(busy)).toBe(401);
    const [user] = await kit.store.identity.users(kit.first.workspace.id);
    await kit.store.sweep();
    expect(await kit.store.identity.sessions(user?.id ?? '')).toEqual([]);
  });
});

describe('a session on /v1', () => {
  it('of a user is the organization and the service of that user on /v1', async () => {
    const browser = await kit.signedIn();
    const { organizationId, serviceId } = kit.first;
    const service = `/v1/organizations/${organizationId}/services/${serviceId}`;
    const other = '7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f';
    const statusOf = async (path: string) => (await browser.call('GET', path)).status;
    expect(await statusOf(`${service}/pipes`)).toBe(200);
    expect(await statusOf(`${service}/stack/dashboards`)).toBe(200);
    expect(await statusOf(`/v1/organizations/${organizationId}/keys`)).toBe(200);
    expect(await statusOf(`/v1/organizations/${other}/keys`)).toBe(400);
    expect(await statusOf(`/v1/organizations/${organizationId}/services/${other}/pipes`)).toBe(400);
    expect(await statusOf('/v1/organizations/nonsense')).toBe(400);
  });

  it('of an admin reads and renames other services of the organization, and enters none', async () => {
    const browser = await kit.signedIn();
    const organization = `/v1/organizations/${kit.first.organizationId}`;
    const made = await browser.call('POST', `${organization}/services`, {
      body: { name: 'staging' },
    });
    const service = `${organization}/services/${made.json.result.id}`;
    const renamed = await browser.call('PATCH', service, { body: { name: 'rehearsal' } });
    expect([renamed.status, renamed.json.result.name]).toEqual([200, 'rehearsal']);
    expect((await browser.call('GET', service)).json.result.name).toBe('rehearsal');
    for (const inside of ['pipes', 'stack/dashboards', 'status']) {
      expect([inside, (await browser.call('GET', `${service}/${inside}`)).status]).toEqual([
        inside,
        400,
      ]);
    }
    const nobody = `${organization}/services/7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f`;
    const refused = await browser.call('PATCH', nobody, { body: { name: 'taken' } });
    expect([refused.status, refused.json.error]).toEqual([
      400,
      expect.stringContaining('does not belong to the organization'),
    ]);
    const trail = `${organization}/activities?objectId=${made.json.result.id}&operation=updateService`;
    expect((await browser.call('GET', trail)).json.result).toMatchObject([{ outcome: 'success' }]);

    await newUser('renamer@example.com');
    const member = kit.browser();
    await member.signIn('renamer@example.com', 'a second password');
    expect((await member.call('PATCH', service, { body: { name: 'mine' } })).status).toBe(403);
  });

  it('of a member has neither keys nor the trail, and reads pipes', async () => {
    await newUser('member@example.com');
    const browser = kit.browser();
    await browser.signIn('member@example.com', 'a second password');
    const { organizationId, serviceId } = kit.first;
    const organization = `/v1/organizations/${organizationId}`;
    const statusOf = async (method: string, path: string) =>
      (await browser.call(method, organization + path, { body: {} })).status;
    const get = async (path: string) => (await browser.call('GET', organization + path)).status;
    expect([
      await get(`/services/${serviceId}/pipes`),
      await get('/keys'),
      await get('/activities'),
      await statusOf('POST', '/keys'),
      await statusOf('POST', `/services/${serviceId}/pipes`),
    ]).toEqual([200, 403, 403, 403, 403]);
    expect((await browser.call('GET', '/api/v2/session')).json.data.role).toBe('member');
  });
});

describe('a change of password', () => {
  const change = (browser: Browser, currentPassword: string, newPassword: string) =>
    browser.call('PUT', '/api/v2/session/password', { body: { currentPassword, newPassword } });

  it('needs the current one, and ends every other session of the user', async () => {
    await newUser('changes@example.com');
    const here = kit.browser();
    const there = kit.browser();
    await here.signIn('changes@example.com', 'a second password');
    await there.signIn('changes@example.com', 'a second password');
    const wrong = await change(here, 'not it', 'a third password');
    expect([wrong.status, wrong.json.errors[0].path]).toEqual([400, 'currentPassword']);
    const short = await change(here, 'a second password', 'short');
    expect([short.status, short.json.errors[0].path]).toEqual([400, 'newPassword']);
    expect((await there.call('GET', '/api/v2/team')).status).toBe(200);
    expect((await change(here, 'a second password', 'a third password')).status).toBe(200);
    expect((await here.call('GET', '/api/v2/team')).status).toBe(200);
    expect((await there.call('GET', '/api/v2/team')).status).toBe(401);
    const old = await kit.browser().signIn('changes@example.com', 'a second password');
    expect(old.status).toBe(401);
    expect((await there.signIn('changes@example.com', 'a third password')).status).toBe(200);
  });

  it('belongs to sessions: an access key cannot make it', async () => {
    const headers = { authorization: `Bearer ${kit.first.accessKey}` };
    const body = { currentPassword: kit.first.password, newPassword: 'by a stolen key' };
    const answer = await http('PUT', `${kit.ui}/api/v2/session/password`, { headers, body });
    expect(answer.status).toBe(403);
  });
});
