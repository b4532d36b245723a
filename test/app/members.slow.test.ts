import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { http, type JsonAnswer } from '../kit/http.ts';
import { day, startUiKit, type Browser, type UiKit } from '../kit/ui.ts';

let kit: UiKit;
let admin: Browser;
beforeAll(async () => {
  kit = await startUiKit({ rateLimit: 'off' });
  admin = await kit.signedIn();
});
afterAll(() => kit.stop());

const members = '/api/v2/team/members';
const tokenOf = ({ path }: { path: string }) => path.split('#')[1] ?? '';
const accept = (browser: Browser, token: string, password: string) =>
  browser.call('POST', '/api/v2/session/link', { body: { token, password } });

async function added(body: Record<string, string>): Promise<JsonAnswer> {
  const { status, json } = await admin.call('POST', members, { body });
  expect([status, json.message]).toEqual([200, undefined]);
  return json.data;
}

/** A member with a session. */
async function joined(email: string, role = 'member') {
  const { member, link } = await added({ email, role });
  const browser = kit.browser();
  expect((await accept(browser, tokenOf(link), 'a good password')).status).toBe(200);
  return { id: member.id as string, browser };
}

describe('a new member', () => {
  it('sets a password with a link that works once, and is signed in', async () => {
    const { member, link } = await added({ email: 'Grace@Example.com', name: 'Grace' });
    expect(member).toEqual({
      id: expect.any(String) as string,
      email: 'grace@example.com',
      name: 'Grace',
      role: 'member',
      hasPassword: false,
      createdAt: expect.any(String) as string,
    });
    expect(link.path).toMatch(/^\/join#[\w-]{43}$/);
    const browser = kit.browser();
    expect((await accept(browser, tokenOf(link), 'short')).status).toBe(400);
    expect((await accept(browser, 'not the token', 'a good password')).status).toBe(401);
    const { status, json } = await accept(browser, tokenOf(link), 'a good password');
    expect([status, json.data.user.email]).toEqual([200, 'grace@example.com']);
    expect(browser.setCookie).toMatch(/^sightline=[\w-]{43}; .*HttpOnly; SameSite=Strict/);
    expect((await browser.call('GET', '/api/v2/team')).status).toBe(200);
    expect((await accept(kit.browser(), tokenOf(link), 'another one')).status).toBe(401);
    const again = kit.browser();
    expect((await again.signIn('grace@example.com', 'a good password')).status).toBe(200);
  });

  it('is made once by a link that is opened twice at the same moment', async () => {
    const { link } = await added({ email: 'twice@example.com' });
    const answers = await Promise.all(
      ['first password', 'second password'].map((text) =>
        accept(kit.browser(), tokenOf(link), text),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('cannot use a link that is past its time, replaced, or of a removed member', async () => {
    const late = await added({ email: 'late@example.com' });
    const replaced = await added({ email: 'replaced@example.com' });
    const removed = await added({ email: 'removed@example.com' });
    const fresh = await admin.call('POST', `${members}/${replaced.member.id}/link`);
    await admin.call('DELETE', `${members}/${removed.member.id}`);
    for (const { link } of [replaced, removed]) {
      expect((await accept(kit.browser(), tokenOf(link), 'a good password')).status).toBe(401);
    }
    const token = tokenOf(fresh.json.data);
    expect((await accept(kit.browser(), token, 'a good password')).status).toBe(200);
    kit.clock.aheadMs += 3 * day;
    expect((await accept(kit.browser(), tokenOf(late.link), 'a good password')).status).toBe(401);
  });

  it('has an address of its own', async () => {
    await added({ email: 'own@example.com' });
    const again = await admin.call('POST', members, { body: { email: 'OWN@example.com' } });
    expect(again.status).toBe(409);
    const wrong = await admin.call('POST', members, { body: { email: 'nobody', role: 'owner' } });
    expect(wrong.json.errors.map(({ path }: JsonAnswer) => path).sort()).toEqual(['email', 'role']);
  });
});

describe('the team', () => {
  const path = '/api/v2/team';

  it('is renamed by an admin: for every session, as a service, and on record', async () => {
    const { browser } = await joined('named@example.com');
    const renamed = await admin.call('PATCH', path, { body: { name: '  Example shop ' } });
    const team = { id: kit.first.workspace.id, name: 'Example shop' };
    expect([renamed.status, renamed.json.data]).toEqual([200, team]);
    expect((await browser.call('GET', path)).json.data).toEqual(team);
    expect((await browser.call('GET', '/api/v2/session')).json.data.team).toEqual(team);
    const organization = `/v1/organizations/${kit.first.organizationId}`;
    const services = await admin.call('GET', `${organization}/services`);
    expect(services.json.result).toEqual([expect.objectContaining({ name: 'Example shop' })]);
    const { json } = await admin.call('GET', `${organization}/activities?operation=updateTeam`);
    expect(json.result).toEqual([
      expect.objectContaining({ object: { kind: 'team', id: team.id }, outcome: 'success' }),
    ]);
  });

  it('keeps its name for a member, and for a name that is no name', async () => {
    const { browser } = await joined('renamer@example.com');
    const before = (await admin.call('GET', path)).json.data;
    expect((await browser.call('PATCH', path, { body: { name: 'Mine' } })).status).toBe(403);
    for (const name of ['', '   ', 'a'.repeat(256), 7]) {
      const refused = await admin.call('PATCH', path, { body: { name } });
      const paths = refused.json.errors.map((issue: JsonAnswer) => issue.path as string);
      expect([refused.status, paths]).toEqual([400, ['name']]);
    }
    expect((await admin.call('GET', path)).json.data).toEqual(before);
  });
});

describe('members', () => {
  it('are managed by admins only; members see them', async () => {
    const { id, browser } = await joined('plain@example.com');
    const list = await browser.call('GET', members);
    expect(list.json.data).toContainEqual(
      expect.objectContaining({ id, email: 'plain@example.com', role: 'member' }),
    );
    expect(list.text).not.toContain('scrypt');
    for (const [method, path] of [
      ['POST', members],
      ['PATCH', `${members}/${id}`],
      ['DELETE', `${members}/${id}`],
      ['POST', `${members}/${id}/link`],
    ] as const) {
      const body = { email: 'x@example.com', role: 'admin' };
      expect((await browser.call(method, path, { body })).status).toBe(403);
    }
  });

  it('change their role at once, in sessions and keys', async () => {
    const { id, browser } = await joined('promoted@example.com');
    const { key } = (
      await browser.call('POST', '/api/v2/team/access-keys', { body: { name: 'k' } })
    ).json.data;
    const withKey = async () =>
      (
        await http('POST', `${kit.apiUrl}/api/v2/team/members/${id}/link`, {
          headers: { authorization: `Bearer ${key}` },
        })
      ).status;
    expect(await withKey()).toBe(403);
    const changed = await admin.call('PATCH', `${members}/${id}`, { body: { role: 'admin' } });
    expect([changed.status, changed.json.data.role]).toEqual([200, 'admin']);
    expect((await browser.call('GET', '/api/v2/session')).json.data.scopes).toContain('keys:write');
    expect(await withKey()).toBe(200);
    await admin.call('PATCH', `${members}/${id}`, { body: { role: 'member' } });
    expect(await withKey()).toBe(403);
  });

  it('that are removed have neither session nor key any more', async () => {
    const { id, browser } = await joined('leaves@example.com');
    const { key } = (
      await browser.call('POST', '/api/v2/team/access-keys', { body: { name: 'k' } })
    ).json.data;
    expect((await admin.call('DELETE', `${members}/${id}`)).status).toBe(200);
    expect((await browser.call('GET', '/api/v2/team')).status).toBe(401);
    const headers = { authorization: `Bearer ${key}` };
    expect((await http('GET', `${kit.apiUrl}/api/v2/team`, { headers })).status).toBe(401);
    expect((await kit.browser().signIn('leaves@example.com', 'a good password')).status).toBe(401);
    expect((await admin.call('DELETE', `${members}/${id}`)).status).toBe(404);
  });

  it('have an admin at all times, also when two leave at the same moment', async () => {
    const { id: second } = await joined('second-admin@example.com', 'admin');
    const { id: first } = (await admin.call('GET', '/api/v2/session')).json.data.user;
    const answers = await Promise.all(
      [first, second].map((id) =>
        admin.call('PATCH', `${members}/${id}`, { body: { role: 'member' } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()[0]).toBe(200);
    const users = await kit.store.identity.users(kit.first.workspace.id);
    const [last, ...more] = users.filter(({ role }) => role === 'admin');
    expect(more).toEqual([]);
    const email = last?.email ?? '';
    const password = last?.id === first ? kit.first.password : 'a good password';
    const browser = kit.browser();
    await browser.signIn(email, password);
    const demoted = await browser.call('PATCH', `${members}/${last?.id}`, {
      body: { role: 'member' },
    });
    const removed = await browser.call('DELETE', `${members}/${last?.id}`);
    expect([demoted.status, removed.status]).toEqual([409, 409]);
    expect(demoted.json.message).toContain('last admin');
  });

  it('of another team do not exist', async () => {
    const { store, first, ids } = kit;
    const workspace = await store.identity.insertWorkspace({
      id: ids.object(),
      serviceId: ids.uuid(),
      organizationId: first.organizationId,
      name: 'other',
      database: 'other',
    });
    const other = await store.identity.insertUser({
      id: ids.object(),
      workspaceId: workspace.id,
      email: 'other-team@example.com',
      name: null,
      passwordHash: null,
    });
    const browser = await adminBrowser();
    for (const [method, path] of [
      ['PATCH', other.id],
      ['DELETE', other.id],
      ['POST', `${other.id}/link`],
    ] as const) {
      const answer = await browser.call(method, `${members}/${path}`, { body: { name: 'x' } });
      expect(answer.status).toBe(404);
    }
  });
});

/** A browser of whoever is admin now. */
async function adminBrowser(): Promise<Browser> {
  const users = await kit.store.identity.users(kit.first.workspace.id);
  const one = users.find(({ role }) => role === 'admin');
  const browser = kit.browser();
  const own = one?.email === kit.first.email;
  await browser.signIn(one?.email ?? '', own ? kit.first.password : 'a good password');
  return browser;
}
