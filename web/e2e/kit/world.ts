import { enginePid, Program, type Server } from '../../../test/kit/program.ts';
import { launchBrowser } from './browser.ts';
import { PageWatch } from './page-watch.ts';
import { SecretWatch } from './secret-watch.ts';
import { metricsBody, type MetricPoint } from './metrics.ts';
import { spansBody, type SpanRecord } from './spans.ts';
import { logsBody, type LogRecord } from './telemetry.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface View {
  width: number;
  height: number;
  theme: 'light' | 'dark';
}

export const wide: View = { width: 1280, height: 800, theme: 'light' };

/** Every layout that a screen must stand. `isClean` and `looksAsKept` look at both themes. */
export const views: readonly View[] = [wide, { width: 390, height: 844, theme: 'light' }];

const password = 'EXAMPLE-NOT-A-PASSWORD';
const email = 'ada@example.com';
const spansPerRequest = 5000;
const ingestionKey = 'sli_e2e_0000000000000000000000';

/** A server that runs already. */
export type Place = Pick<Server, 'api' | 'ui' | 'otlpHttp'>;

/** The real program with its engine, and a browser. */
export class World {
  readonly server: Place;
  readonly browser: Browser;
  private readonly remove: () => Promise<void>;
  private program: Server | undefined;
  private cookies: Awaited<ReturnType<BrowserContext['cookies']>> | undefined;

  private constructor(server: Place, browser: Browser, remove: () => Promise<void>) {
    this.server = server;
    this.browser = browser;
    this.remove = remove;
  }

  /** @param settings environment of the program, beside the credentials. */
  static async open(settings: Record<string, string> = {}): Promise<World> {
    const program = new Program({
      ...settings,
      SIGHTLINE_BOOTSTRAP_EMAIL: email,
      SIGHTLINE_BOOTSTRAP_PASSWORD: password,
      SIGHTLINE_BOOTSTRAP_INGESTION_KEY: ingestionKey,
    });
    const [server, browser] = await Promise.all([program.serve(), launchBrowser()]);
    const world = new World(server, browser, () => program.remove());
    world.program = server;
    return world;
  }

  /** Kills the engine of the program, which starts it again. */
  killEngine(): void {
    if (this.program) {
      process.kill(enginePid(this.program), 'SIGKILL');
    }
  }

  /** Kills the engine whenever it starts. Returns the end of that: then it starts and stays. */
  keepEngineDown(): () => void {
    const kill = (): void => {
      try {
        this.killEngine();
      } catch {
        // It is not there at the moment.
      }
    };
    kill();
    const timer = setInterval(kill, 50);
    return () => clearInterval(timer);
  }

  /** A browser around a server with the credentials of `account`. */
  static async around(server: Place, remove: () => Promise<void>): Promise<World> {
    return new World(server, await launchBrowser(), remove);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.remove();
  }

  /** Sends records over OTLP. They are stored when this resolves. */
  async send(records: readonly LogRecord[]): Promise<void> {
    await accepted(this.sendWith(ingestionKey, records));
  }

  /** Sends spans over OTLP. They are stored when this resolves. */
  async sendSpans(spans: readonly SpanRecord[]): Promise<void> {
    for (let at = 0; at < spans.length; at += spansPerRequest) {
      const body = spansBody(spans.slice(at, at + spansPerRequest));
      await accepted(this.post('traces', ingestionKey, body));
    }
  }

  /** Sends points over OTLP. They are stored when this resolves. */
  async sendMetrics(points: readonly MetricPoint[]): Promise<void> {
    await accepted(this.post('metrics', ingestionKey, metricsBody(points)));
  }

  sendWith(key: string, records: readonly LogRecord[]): Promise<Response> {
    return this.post('logs', key, logsBody(records));
  }

  private post(
    signal: 'logs' | 'metrics' | 'traces',
    key: string,
    body: object,
  ): Promise<Response> {
    return fetch(`${this.server.otlpHttp}/v1/${signal}`, {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /**
   * A page of nobody, which fails its test if the console, the policy or a script complains. To close
   * its context checks that the browser keeps no credential.
   */
  async page(
    view: View = wide,
  ): Promise<{ page: Page; watch: PageWatch; context: BrowserContext }> {
    const context = await this.browser.newContext({
      baseURL: this.server.ui,
      viewport: { width: view.width, height: view.height },
      colorScheme: view.theme,
      hasTouch: view.width < 640,
      isMobile: view.width < 640,
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    });
    // Other work shares the CPU: a failure takes longer, a success does not.
    context.setDefaultTimeout(60_000);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const secrets = new SecretWatch(context, this.server.ui, [password, ingestionKey]);
    const close = context.close.bind(context);
    context.close = async (options) => {
      await secrets.check();
      await close(options);
    };
    const page = await context.newPage();
    const route = page.route.bind(page);
    page.route = async (...args) => {
      const disposable = await route(...args);
      // The page hears of it after the browser. Before, requests of the page pass the route by.
      await page.evaluate(() => undefined);
      return disposable;
    };
    return { page, watch: new PageWatch(page), context };
  }

  /** The page of a new member, who has set a password with the link of the first user. */
  async joined(
    person: { email: string; name?: string; role?: 'admin' | 'member' },
    view: View = wide,
  ): Promise<{ page: Page; watch: PageWatch; context: BrowserContext }> {
    const admin = await this.signedIn();
    await admin.page.goto('/settings');
    const path = await admin.page.evaluate(async (body) => {
      const response = await fetch('/api/v2/team/members', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-sightline': '1' },
        body: JSON.stringify(body),
      });
      const { data } = (await response.json()) as { data: { link: { path: string } } };
      return data.link.path;
    }, person);
    await admin.context.close();
    const made = await this.page(view);
    await made.page.goto(path);
    await made.page.getByLabel('New password').fill(password);
    await made.page.getByRole('button', { name: 'Save password' }).click();
    await made.page.waitForURL(isInside);
    return made;
  }

  /** A page of the first user, signed in by the form. */
  async signedIn(
    view: View = wide,
  ): Promise<{ page: Page; watch: PageWatch; context: BrowserContext }> {
    const made = await this.page(view);
    if (this.cookies) {
      await made.context.addCookies(this.cookies);
      return made;
    }
    await made.page.goto('/sign-in');
    await signIn(made.page);
    await made.page.waitForURL(isInside);
    this.cookies = await made.context.cookies();
    // As blank as every later page: no request of the first screen runs on into the test.
    await made.page.goto('about:blank');
    return made;
  }
}

const isInside = ({ pathname }: URL): boolean => !/^\/(sign-in|join)$/.test(pathname);

async function accepted(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  if (!response.ok) {
    throw new Error(`OTLP data was refused: ${response.status} ${await response.text()}`);
  }
}

export async function signIn(
  page: Page,
  given: string = password,
  as: string = email,
): Promise<void> {
  await page.getByLabel('Email').fill(as);
  await page.getByLabel('Password').fill(given);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export const account = { email, password, ingestionKey };
