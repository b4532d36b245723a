import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { http } from '../kit/http.ts';
import { startOpenid, Traveller, type OpenidServer } from '../kit/openid.ts';
import { freePort } from '../kit/port.ts';
import { startUiKit, type UiKit } from '../kit/ui.ts';

const people = {
  grace: { email: 'Grace@Example.com', email_verified: true, name: 'Grace', groups: ['staff'] },
  boss: { email: 'boss@example.com', email_verified: true, groups: ['staff', 'operators'] },
  ada: { email: 'ada@example.com', email_verified: true, groups: ['staff'] },
  unverified: { email: 'unverified@example.com', email_verified: false },
  silent: { email: 'silent@example.com' },
  foreign: { email: 'mallory@evil.example.org', email_verified: true },
  lookalike: { email: 'mallory@notexample.com', email_verified: true },
};
const secret = 'a-client-secret-of-the-provider';

let provider: OpenidServer;
let kit: UiKit;
beforeAll(async () => {
  // The redirect URI is registered before the server knows its port: take a free one.
  const uiPort = await freePort();
  const redirectUri = `http://127.0.0.1:${uiPort}/sign-in/oidc/callback`;
  provider = await startOpenid(people, { id: 'sightline', secret, redirectUri });
  kit = await startUiKit({
    uiPort,
    rateLimit: 'off',
    oidcIssuer: provider.issuer,
    oidcClientId: 'sightline',
    oidcClientSecret: secret,
    oidcAllowedDomains: ['example.com'],
    oidcRoleClaim: 'groups',
    oidcAdminValues: ['operators'],
  });
});
afterAll(async () => {
  await kit.stop();
  await provider.stop();
});

const begin = (next = '/') => `${kit.ui}/sign-in/oidc?next=${encodeURIComponent(next)}`;

/** The whole way: where it ends, and the session that the browser then has. */
async function signIn(login: string, next?: string) {
  const browser = new Traveller();
  const back = await browser.signInAt(provider.issuer, begin(next), login);
  const answer = await browser.visit(back);
  return { browser, back, location: answer.headers.get('location'), answer };
}

async function sessionOf(browser: Traveller) {
  const token = browser.jars.get(kit.ui)?.get('sightline');
  const headers = { cookie: `sightline=${token}` };
  return http('GET', `${kit.ui}/api/v2/session`, { headers });
}

const attemptCookie = 'sightline-oidc';

describe('single sign-on', () => {
  it('makes a member of who has a verified address of an allowed domain, and opens the page', async () => {
    const { browser, location, answer } = await signIn('grace', '/search?q=a#b');
    expect([answer.status, location]).toEqual([302, '/search?q=a#b']);
    const { json } = await sessionOf(browser);
    expect(json.data).toMatchObject({
      user: { email: 'grace@example.com', name: 'Grace' },
      role: 'member',
      hasPassword: false,
      serviceId: kit.first.serviceId,
    });
    const cookies = answer.headers.getSetCookie();
    expect(cookies).toContainEqual(expect.stringMatching(/^sightline-oidc=; .*Max-Age=0/));
    expect(cookies).toContainEqual(
      expect.stringMatching(/^sightline=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict/),
    );
    const again = await signIn('grace');
    expect((await sessionOf(again.browser)).json.data.user).toEqual(json.data.user);
  });

  it('sets the role from the claim at each sign-in, and leaves the last admin one', async () => {
    const own = await signIn('ada');
    expect((await sessionOf(own.browser)).json.data.role).toBe('admin');
    const boss = await signIn('boss');
    expect((await sessionOf(boss.browser)).json.data.role).toBe('admin');
    const demoted = await signIn('ada');
    expect((await sessionOf(demoted.browser)).json.data.role).toBe('member');
    people.boss.groups = ['staff'];
    expect((await sessionOf((await signIn('boss')).browser)).json.data.role).toBe('admin');
    people.ada.groups = ['operators'];
    await signIn('ada');
    expect((await sessionOf((await signIn('boss')).browser)).json.data.role).toBe('member');
  });

  it.each([
    ['unverified', 'unverified_email'],
    ['silent', 'unverified_email'],
    ['foreign', 'domain_not_allowed'],
    ['lookalike', 'domain_not_allowed'],
  ] as const)('refuses the person %s as %s, and makes nobody', async (login, code) => {
    const before = await kit.store.identity.users(kit.first.workspace.id);
    const { browser, location } = await signIn(login);
    expect(location).toBe(`/sign-in?error=${code}`);
    expect(browser.jars.get(kit.ui)?.has('sightline')).toBe(false);
    expect(await kit.store.identity.users(kit.first.workspace.id)).toEqual(before);
  });

  it.each([
    '//evil.example.org',
    '/\\evil.example.org',
    'https://evil.example.org/',
    'javascript:alert(1)',
    '/\t/evil.example.org',
    '/.//evil.example.org',
    '',
  ])('opens no page but its own after the sign-in: %j', async (next) => {
    expect((await signIn('grace', next)).location).toBe('/');
  });
});

describe('the way back from the provider', () => {
  it('works once, and in the browser that went there only', async () => {
    const { browser, back } = await signIn('grace');
    expect((await browser.visit(back)).headers.get('location')).toBe('/sign-in?error=expired');
    const victim = new Traveller();
    expect((await victim.visit(back)).headers.get('location')).toBe('/sign-in?error=expired');
    expect(victim.jars.get(kit.ui)?.size ?? 0).toBe(0);
  });

  /** A browser at the last step, with the attempt that its cookie holds. */
  async function atTheDoor() {
    const browser = new Traveller();
    const back = await browser.signInAt(provider.issuer, begin(), 'grace');
    const jar = browser.jars.get(kit.ui)!;
    const kept = jar.get(attemptCookie) ?? '';
    const text = kit.vault.open(Buffer.from(kept, 'base64url').toString(), 'oidc-attempt');
    const change = (changed: object): void => {
      const sealed = kit.vault.seal(
        JSON.stringify({ ...JSON.parse(text), ...changed }),
        'oidc-attempt',
      );
      jar.set(attemptCookie, Buffer.from(sealed).toString('base64url'));
    };
    const finish = async () => (await browser.visit(back)).headers.get('location');
    return { browser, back, jar, kept, text, change, finish };
  }

  it('refuses a code that was used, also with the cookie of its attempt', async () => {
    const { jar, kept, finish } = await atTheDoor();
    expect(await finish()).toBe('/');
    jar.set(attemptCookie, kept);
    expect(await finish()).toBe('/sign-in?error=provider_refused');
  });

  it.each(['nonce', 'state', 'verifier'])('refuses another %s', async (name) => {
    const { change, finish, jar } = await atTheDoor();
    change({ [name]: 'another-value-of-the-right-length-0000000000000' });
    expect(await finish()).toBe('/sign-in?error=provider_refused');
    expect(jar.has('sightline')).toBe(false);
  });

  it('refuses a cookie that was changed, and one that is past its time', async () => {
    const changed = await atTheDoor();
    changed.jar.set(attemptCookie, Buffer.from(changed.text).toString('base64url'));
    expect(await changed.finish()).toBe('/sign-in?error=expired');
    const late = await atTheDoor();
    kit.clock.aheadMs += 10 * 60_000;
    expect(await late.finish()).toBe('/sign-in?error=expired');
    kit.clock.aheadMs -= 10 * 60_000;
  });

  it('says that the provider refused, and keeps the attempt unreadable', async () => {
    const { browser, text, kept } = await atTheDoor();
    expect(Buffer.from(kept, 'base64url').toString()).not.toContain(
      (JSON.parse(text) as { verifier: string }).verifier,
    );
    const { state } = JSON.parse(text) as { state: string };
    const denied = `${kit.ui}/sign-in/oidc/callback?error=access_denied&state=${state}&iss=${provider.issuer}`;
    expect((await browser.visit(denied)).headers.get('location')).toBe(
      '/sign-in?error=provider_refused',
    );
  });

  it('leaves its lines in the audit trail', async () => {
    await kit.api?.trail.flush();
    const { items } = await kit.store.audit.list(
      { operation: 'createProviderSession' },
      { limit: 100, offset: 0 },
    );
    expect(items).toContainEqual(
      expect.objectContaining({
        outcome: 'success',
        actor: expect.objectContaining({ kind: 'user', name: 'grace@example.com' }) as object,
      }),
    );
    expect(items).toContainEqual(expect.objectContaining({ outcome: 'denied', code: 'forbidden' }));
  });
});

it('a provider that is away is said, and stops no sign-in with a password', async () => {
  const port = await freePort();
  const other = await startUiKit({
    oidcIssuer: `http://127.0.0.1:${port}`,
    oidcClientId: 'sightline',
  });
  const answer = await new Traveller().visit(`${other.ui}/sign-in/oidc`);
  const options = await http('GET', `${other.ui}/api/v2/session/options`);
  const browser = await other.signedIn();
  const { status } = await browser.call('GET', '/api/v2/session');
  await other.stop();
  expect(answer.headers.get('location')).toBe('/sign-in?error=provider_unavailable');
  expect([options.json.data, status]).toEqual([{ singleSignOn: true }, 200]);
});

it('without a provider there is no such way', async () => {
  const other = await startUiKit();
  const options = await http('GET', `${other.ui}/api/v2/session/options`);
  const answer = await http('GET', `${other.ui}/sign-in/oidc/callback?code=x`);
  await other.stop();
  expect(options.json.data).toEqual({ singleSignOn: false });
  expect(answer.headers.get('set-cookie')).toBeNull();
});
