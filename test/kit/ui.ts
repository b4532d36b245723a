import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/app/config/config.ts';
import { noEngine, startTestApp, type TestAppOptions } from './app.ts';
import { http, type HttpAnswer, type HttpCall } from './http.ts';

/** A browser: sends the cookie it was given, and what a page of the interface sends. */
export class Browser {
  readonly url: string;
  cookie: string | undefined;
  /** `Set-Cookie` of the last answer. */
  setCookie: string | null = null;

  constructor(url: string) {
    this.url = url;
  }

  async call(
    method: string,
    path: string,
    { headers, ...call }: HttpCall = {},
  ): Promise<HttpAnswer> {
    const answer = await http(method, this.url + path, {
      ...call,
      headers: {
        origin: this.url,
        'sec-fetch-site': 'same-origin',
        'x-sightline': '1',
        'user-agent': 'Test Browser/1.0',
        ...(this.cookie !== undefined && { cookie: this.cookie }),
        ...headers,
      },
    });
    this.setCookie = answer.headers.get('set-cookie');
    if (this.setCookie !== null) {
      const [pair = ''] = this.setCookie.split(';');
      this.cookie = pair.endsWith('=') ? undefined : pair;
    }
    return answer;
  }

  signIn(email: string, password: string, call: HttpCall = {}): Promise<HttpAnswer> {
    return this.call('POST', '/api/v2/session', { ...call, body: { email, password } });
  }
}

export const day = 86_400_000;

/** The app with both listeners over an empty store, and a clock that the test moves. */
export async function startUiKit(config: Partial<Config> = {}, more: Partial<TestAppOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-ui-'));
  const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };
  const app = await startTestApp({
    folder,
    roles: ['api', 'ui'],
    clock,
    config: { bootstrapEmail: 'ada@example.com', bootstrapPassword: 'a first password', ...config },
    tuning: { api: { eventLoopDelayMs: 0 } },
    parts: { telemetry: noEngine },
    ...more,
  });
  const { first } = app;
  if (!first) {
    throw new Error('the store was not empty');
  }
  const ui = app.addresses.ui ?? '';
  return {
    ...app,
    first,
    clock,
    ui,
    apiUrl: new URL(app.addresses.surfaces?.[0] ?? '').origin,
    browser: () => new Browser(ui),
    /** A browser in which the first user has signed in. */
    async signedIn(): Promise<Browser> {
      const browser = new Browser(ui);
      const { status } = await browser.signIn(first.email, first.password);
      if (status !== 200) {
        throw new Error(`sign-in answered ${status}`);
      }
      return browser;
    },
    async stop() {
      await app.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type UiKit = Awaited<ReturnType<typeof startUiKit>>;
