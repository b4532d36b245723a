import type { BrowserContext, Page, Request, Response } from 'playwright-core';
import { expect } from 'vitest';
import { keepsNothingOf } from './journey.ts';

/** Fields of requests and answers whose text is a credential. */
const secretName =
  /^(?:key|keySecret|secret|secretKey|privateKey|connectionString|token|password|\w+Password)$/;
/** Calls whose answers have one. */
const secretCall =
  /\/(?:session|access-keys|ingestion-key|ingestion-key\/rotate|members[^?]*|keys)$/;
const cookieName = /^(?:__Host-)?sightline$/;
const shortest = 8;

/**
 * Learns every credential that the pages of a context send or get, and checks at the end that the
 * browser keeps none where scripts, links or other sites could reach it.
 */
export class SecretWatch {
  private readonly context: BrowserContext;
  private readonly origin: string;
  private readonly secrets: Set<string>;
  private readonly urls = new Set<string>();
  private readonly reading = new Set<Promise<void>>();

  /** @param known credentials that the pages may get in other ways. */
  constructor(context: BrowserContext, origin: string, known: readonly string[]) {
    this.context = context;
    this.origin = origin;
    this.secrets = new Set(known);
    context.on('request', (request) => this.sent(request));
    context.on('response', (response) => this.got(response));
  }

  private sent(request: Request): void {
    const url = new URL(request.url());
    if (url.origin !== this.origin) {
      return;
    }
    // The fragment stays in the browser: the link of a new member has its token there.
    this.urls.add(`${url.pathname}${url.search}`);
    if (request.method() !== 'GET') {
      this.learn(parsed(request.postData() ?? ''));
    }
  }

  private got(response: Response): void {
    if (!response.ok() || !secretCall.test(new URL(response.url()).pathname)) {
      return;
    }
    const read = response.text().then(
      (text) => this.learn(parsed(text)),
      // The page was left before it had the answer.
      () => undefined,
    );
    this.reading.add(read);
    void read.then(() => this.reading.delete(read));
  }

  private learn(value: unknown, name = ''): void {
    if (typeof value === 'string') {
      const secret = name === 'path' ? value.split('#')[1] : secretName.test(name) && value;
      if (secret && secret.length >= shortest) {
        this.secrets.add(secret);
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        this.learn(item, key);
      }
    }
  }

  /** What must hold after every journey (ui.md §11). */
  async check(): Promise<void> {
    await Promise.all(this.reading);
    const cookies = (await this.context.cookies()).filter(({ name }) => cookieName.test(name));
    for (const { name, httpOnly, sameSite, path, secure } of cookies) {
      expect({ name, httpOnly, sameSite, path, secure }, 'the cookie of the session').toEqual({
        name,
        httpOnly: true,
        sameSite: 'Strict',
        path: '/',
        secure: name.startsWith('__Host-'),
      });
    }
    const secrets = [...this.secrets, ...cookies.map(({ value }) => value)];
    for (const url of this.urls) {
      expect(
        secrets.filter((secret) => decodeURIComponent(url).includes(secret)),
        `credentials in ${url}`,
      ).toEqual([]);
    }
    for (const page of this.context.pages().filter((one) => this.isOurs(one))) {
      await keepsNothingOf(page, ...secrets);
    }
  }

  private isOurs(page: Page): boolean {
    return !page.isClosed() && page.url().startsWith(`${this.origin}/`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
