import type { Log } from '../../../ports/ambient.ts';
import { TelemetryError, type Purpose } from '../../../ports/telemetry.ts';
import { literal } from '../../../sql/sql.ts';
import { engineError } from '../engine-errors.ts';
import { passwordOf, rightOf, type Right } from './engine-users.ts';
import { serverUserName, userStatements, type ServerUser } from './user-statements.ts';

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

/** What runs as a user. */
export const workOf: Record<Right, string> = {
  read: 'charts, searches and alerts',
  ingest: 'ingestion',
  pipe: 'pipes',
};

/**
 * Users of a ClickHouse server with the rights of one purpose in one database. They are made with
 * SQL when a database is used first. If the given user may not make one and nobody else has, the work
 * runs as the given user.
 */
export class ServerUsers {
  readonly #options: ServerUsersOptions;
  readonly #ask: Ask;
  readonly #onCluster: string;
  /** Names of users, and why one cannot be used; undefined: it can. */
  readonly #known = new Map<string, string | undefined>();
  readonly #trials = new Map<string, Promise<void>>();
  /** Why there can be no users at all. */
  #refusal: string | undefined;
  readonly #logged = new Set<string>();

  constructor(options: ServerUsersOptions, ask: Ask, onCluster = '') {
    this.#options = options;
    this.#ask = ask;
    this.#onCluster = onCluster;
  }

  /** Undefined: the given user. */
  auth(purpose: Purpose, database: string | undefined): Login | undefined {
    const user = userFor(purpose, database);
    return user && this.#isUsed(user) ? this.#login(user) : undefined;
  }

  admits(purpose: Purpose, database: string | undefined): boolean {
    const user = userFor(purpose, database);
    return user === undefined || this.#known.has(serverUserName(user));
  }

  /** Finds out who runs the work. @throws TelemetryError if the server does not answer. */
  async admit(purpose: Purpose, database: string | undefined): Promise<void> {
    const user = userFor(purpose, database);
    if (user !== undefined) {
      await this.provide(user);
    }
  }

  /**
   * Makes a user, if it is not known yet. Gives the reason if it cannot be used.
   * @throws TelemetryError if the server does not answer.
   */
  async provide(user: ServerUser): Promise<string | undefined> {
    const name = serverUserName(user);
    if (!this.#known.has(name)) {
      const trial =
        this.#trials.get(name) ?? this.#provide(user).finally(() => this.#trials.delete(name));
      this.#trials.set(name, trial);
      await trial;
    }
    return this.#known.get(name);
  }

  /** Runs the work as the given user from now on. False if it did already. */
  withdraw(purpose: Purpose, database: string | undefined, reason: string): boolean {
    const user = userFor(purpose, database);
    if (user === undefined || !this.#isUsed(user)) {
      return false;
    }
    this.#known.set(serverUserName(user), reason);
    this.#options.log.warn(
      { database, reason: reason.slice(0, 300), see: 'docs/operations.md' },
      `a materialized view refuses the user of ${workOf[user.right]}; the user of the address inserts`,
    );
    return true;
  }

  /**
   * Whether a statement should be sent again, because another process has changed the password: it
   * has a newer secret key, or this one has.
   */
  renews(error: unknown): boolean {
    const isRefused = this.#known.size > 0 && engineError(error).message.startsWith('Code: 516.');
    if (isRefused) {
      this.#known.clear();
      this.#refusal = undefined;
    }
    return isRefused;
  }

  #isUsed(user: ServerUser): boolean {
    const name = serverUserName(user);
    return this.#known.has(name) && this.#known.get(name) === undefined;
  }

  async #provide(user: ServerUser): Promise<void> {
    const reason = await this.#make(user);
    const isUsable = reason === undefined || (await this.#exists(user));
    this.#known.set(serverUserName(user), isUsable ? undefined : reason);
    if (!isUsable) {
      this.#tell(user, reason);
    }
  }

  /** Gives the reason if the server refuses. */
  async #make(user: ServerUser): Promise<string | undefined> {
    const { make, grants } = userStatements(user, this.#options.secret(), this.#onCluster);
    for (const statement of make) {
      this.#refusal ??= (await this.#order(statement))?.message;
    }
    if (this.#refusal !== undefined) {
      return this.#refusal;
    }
    for (const { statement, before } of grants) {
      let refused = await this.#order(statement);
      if (refused?.kind === 'syntax') {
        refused = before === undefined ? undefined : await this.#order(before);
      }
      if (refused !== undefined) {
        return refused.message;
      }
    }
    return undefined;
  }

  /** Gives the refusal of a server that has understood or cannot. */
  async #order(statement: string): Promise<TelemetryError | undefined> {
    try {
      await this.#ask(statement);
      return undefined;
    } catch (cause) {
      const error = engineError(cause);
      if (!isRefusal(error)) {
        throw error;
      }
      return error;
    }
  }

  /** Whether the user has been made already, and sees its database. */
  async #exists(user: ServerUser): Promise<boolean> {
    const seen =
      user.database === undefined
        ? 'SELECT 1'
        : `SELECT count() FROM system.databases WHERE name = ${literal(user.database).text}`;
    return this.#ask(seen, this.#login(user)).then(
      (text) => text.trim() === '1',
      () => false,
    );
  }

  /** One line for all, if there can be no users, else one for each sort of work. */
  #tell({ right, database }: ServerUser, reason: string): void {
    const isForAll = reason === this.#refusal;
    const key = isForAll ? '' : right;
    if (this.#logged.has(key)) {
      return;
    }
    this.#logged.add(key);
    this.#options.log.info(
      {
        reason: reason.slice(0, 200),
        see: 'docs/operations.md',
        ...(isForAll ? {} : { database }),
      },
      isForAll
        ? 'cannot create users on the ClickHouse server; work without a user runs as the user of the address'
        : `cannot grant a user its rights on the ClickHouse server; ${workOf[right]} run as the user of the address`,
    );
  }

  #login(user: ServerUser): Login {
    const username = serverUserName(user);
    return { username, password: passwordOf(this.#options.secret(), username) };
  }
}

function userFor(purpose: Purpose, database: string | undefined): ServerUser | undefined {
  const right = rightOf[purpose];
  return right && { right, database };
}

/** The server has understood and will not do it: without the right, or without a place for users. */
const isRefusal = ({ kind }: TelemetryError): boolean =>
  kind === 'denied' || kind === 'other' || kind === 'syntax';
