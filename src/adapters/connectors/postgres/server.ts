import { isIP } from 'node:net';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import { Client } from 'pg';
import type { ConnectorContext } from '../../../ports/connector.ts';
import { SourceFailed } from '../../../ports/connector.ts';
import { CleartextRefused } from './postgres-errors.ts';
import { RawConnection } from './raw-connection.ts';
import { sessionSettings } from './types/pg-column.ts';

type Source = ConnectorContext<'postgres'>['source'];

const connectTimeoutMs = 15_000;
/** After so long without a byte the other end is asked whether it is there. */
const keepAliveMs = 10_000;
/**
 * What a role or database may have set for its sessions, and must not hold here. A snapshot is one long transaction, and a copy one long statement: the server's own
 * patience must not end them. Rows that a policy hides would be missing without a word: so the server refuses to read such a table.
 */
const sessionConduct = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  row_security: 'off',
  default_transaction_read_only: 'off',
  standard_conforming_strings: 'on',
  search_path: 'pg_catalog',
};
/** The same for what older servers do not know: a session could not be started with it. */
const laterConduct =
  "SELECT pg_catalog.set_config(name, '0', false) FROM pg_catalog.pg_settings WHERE name IN ('idle_session_timeout', 'transaction_timeout') AND setting <> '0'";

/** Opens connections to the pipe's server: to an address that the guard answered, over TLS where the server has it. */
export class Server {
  readonly #source: Source;
  readonly #egress: ConnectorContext['egress'];
  readonly #open = new Set<{ close(): void }>();
  #plain = false;
  #closed = false;

  constructor({ source, egress }: Pick<ConnectorContext<'postgres'>, 'source' | 'egress'>) {
    this.#source = source;
    this.#egress = egress;
  }

  /** For statements with parameters. */
  async client(): Promise<Client> {
    const client = oneAtATime(await this.#connect(false));
    this.#open.add({
      close: () => {
        client.end().catch(() => undefined);
      },
    });
    return client;
  }

  /** For COPY (`replication: false`) and for the replication protocol. */
  async raw(replication: boolean): Promise<RawConnection> {
    const raw = new RawConnection(await this.#connect(replication));
    this.#open.add(raw);
    if (this.#closed) {
      raw.close();
    }
    return raw;
  }

  /** Cuts every connection. */
  close(): void {
    this.#closed = true;
    for (const one of this.#open) {
      one.close();
    }
    this.#open.clear();
  }

  async #connect(replication: boolean): Promise<Client> {
    if (this.#closed) {
      throw new Error('the connector is closed');
    }
    const { host, caCertificate } = this.#source;
    const [{ address }] = await this.#egress.resolve(host);
    if (this.#plain) {
      return this.#attempt(address, replication, undefined);
    }
    try {
      return await this.#attempt(address, replication, tlsOptions(host, caCertificate));
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('does not support SSL')) {
        throw error;
      }
      if (caCertificate !== undefined) {
        throw new SourceFailed(
          'the server offers no TLS, and source.postgres.caCertificate asks for it: turn TLS on there',
          { cause: error },
        );
      }
      this.#plain = true;
      return this.#attempt(address, replication, undefined);
    }
  }

  async #attempt(
    address: string,
    replication: boolean,
    ssl: ConnectionOptions | undefined,
  ): Promise<Client> {
    const { port = 5432, database, credentials } = this.#source;
    const client = new Client({
      host: address,
      port,
      database,
      user: credentials?.username ?? 'postgres',
      // A function, so that neither PGPASSWORD nor a password file of this machine is looked at.
      password: () => credentials?.password ?? '',
      ssl: ssl ?? false,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      connectionTimeoutMillis: connectTimeoutMs,
      application_name: 'sightline',
      options: startOptions,
      ...(replication ? { replication: 'database' } : {}),
    } as ConstructorParameters<typeof Client>[0]);
    // A line that is cut shows in the query that runs, or in the next.
    client.on('error', () => undefined);
    const connecting = client.connect();
    if (!ssl) {
      refuseCleartext(client);
    }
    await connecting;
    await client.query(laterConduct);
    return client;
  }
}

/** Several ask on one connection: each question waits for the one before. */
function oneAtATime(client: Client): Client {
  const query = client.query.bind(client) as (...question: unknown[]) => Promise<unknown>;
  let last: Promise<unknown> = Promise.resolve();
  const queued = (...question: unknown[]): Promise<unknown> => {
    const answer = last.then(() => query(...question));
    last = answer.catch(() => undefined);
    return answer;
  };
  return Object.assign(client, { query: queued });
}

/** Without an authority of its own the line is only kept from being read along; with one the server must prove who it is. */
function tlsOptions(host: string, caCertificate: string | undefined): ConnectionOptions {
  return {
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(caCertificate === undefined
      ? { rejectUnauthorized: false }
      : {
          ca: caCertificate,
          rejectUnauthorized: true,
          checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
        }),
  };
}

function refuseCleartext(client: Client): void {
  const { connection } = client as unknown as {
    connection: import('node:events').EventEmitter & { stream: { destroy(error: Error): void } };
  };
  connection.removeAllListeners('authenticationCleartextPassword');
  connection.on('authenticationCleartextPassword', () => {
    connection.stream.destroy(new CleartextRefused('the server asks for the password in clear'));
  });
}

const startOptions = Object.entries({ ...sessionSettings, ...sessionConduct })
  .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
  .join(' ');
