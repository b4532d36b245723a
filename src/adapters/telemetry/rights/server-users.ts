import { createHash } from 'node:crypto';
import type { Log } from '../../../ports/ambient.ts';
import { TelemetryError, type Purpose } from '../../../ports/telemetry.ts';
import { identifier, literal } from '../../../sql/sql.ts';
import { engineError } from '../engine-errors.ts';
import { isRead, passwordOf, userFor } from './engine-users.ts';

export interface ServerUsersOptions {
  /** What the passwords are made of: the same in every process of a deployment. */
  secret(): string;
  log: Log;
}

interface Login {
  username: string;
  password: string;
}

/** Asks the server, as the given user or as another. Gives the text of the answer. */
type Ask = (query: string, login?: Login) => Promise<string>;

/**
 * Users of a ClickHouse server, each of which may select from one database: charts, searches, exports
 * and alerts run as them. They are made with SQL when a database is used first. If the given user may
 * not make them and nobody else has, everything runs as the given user.
 */
export class ServerUsers {
  readonly #options: ServerUsersOptions;
  readonly #ask: Ask;
  readonly #databases = new Set<string>();
  /** Undefined until the server has been asked. */
  #used: boolean | undefined;
  #trial: Promise<void> | undefined;

  constructor(options: ServerUsersOptions, ask: Ask) {
    this.#options = options;
    this.#ask = ask;
  }

  get used(): boolean {
    return this.#used === true;
  }

  /** Undefined: the given user. */
  auth(purpose: Purpose, database: string | undefined): Login | undefined {
    return this.used && isRead(purpose) ? this.#login(database) : undefined;
  }

  admits(purpose: Purpose, database: string): boolean {
    return !this.used || !isRead(purpose) || this.#databases.has(database);
  }

  /** Finds out whether there can be users. @throws TelemetryError if the server does not answer. */
  async ready(): Promise<void> {
    if (this.#used === undefined) {
      this.#trial ??= this.#provide(undefined).finally(() => (this.#trial = undefined));
      await this.#trial;
    }
  }

  /** @throws TelemetryError if the server does not answer. */
  async admit(database: string): Promise<void> {
    await this.#provide(database);
    this.#databases.add(database);
  }

  /**
   * Whether a statement should be sent again, because another process has changed the password: it
   * has a newer secret key, or this one has.
   */
  renews(error: unknown): boolean {
    const isRefused = this.used && /AUTHENTICATION_FAILED/.test(String(error));
    if (isRefused) {
      this.#used = undefined;
      this.#databases.clear();
    }
    return isRefused;
  }

  async #provide(database: string | undefined): Promise<void> {
    try {
      await this.#make(database);
      this.#used = true;
    } catch (cause) {
      const error = engineError(cause);
      if (!isRefusal(error)) {
        throw error;
      }
      this.#used = await this.#exists(database);
      if (!this.#used) {
        this.#options.log.info(
          { reason: error.message.slice(0, 200), see: 'docs/operations.md' },
          'cannot create users on the ClickHouse server; all requests run as one user',
        );
      }
    }
  }

  async #make(database: string | undefined): Promise<void> {
    const { username, password } = this.#login(database);
    const user = identifier(username).text;
    const hash = literal(createHash('sha256').update(password).digest('hex')).text;
    await this.#ask(`CREATE USER IF NOT EXISTS ${user} IDENTIFIED WITH sha256_hash BY ${hash}`);
    await this.#ask(`ALTER USER ${user} IDENTIFIED WITH sha256_hash BY ${hash}`);
    if (database !== undefined) {
      await this.#ask(`GRANT SELECT ON ${identifier(database).text}.* TO ${user}`);
    }
  }

  /** Whether the user has been made already, and sees its database. */
  async #exists(database: string | undefined): Promise<boolean> {
    const seen =
      database === undefined
        ? 'SELECT 1'
        : `SELECT count() FROM system.databases WHERE name = ${literal(database).text}`;
    return this.#ask(seen, this.#login(database)).then(
      (text) => text.trim() === '1',
      () => false,
    );
  }

  #login(database: string | undefined): Login {
    const username = serverUser(database);
    return { username, password: passwordOf(this.#options.secret(), username) };
  }
}

/** The name tells whose user it is in the server's own lists. */
export const serverUser = (database: string | undefined): string =>
  `sightline_${userFor('chart', database)}`;

/** The server has understood and will not do it: without the right, or without a place for users. */
const isRefusal = ({ kind }: TelemetryError): boolean =>
  kind === 'denied' || kind === 'other' || kind === 'syntax';
