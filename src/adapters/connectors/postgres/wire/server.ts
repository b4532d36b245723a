import type { EventEmitter } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import { Client } from 'pg';
import type { ConnectorContext } from '../../../../ports/connector.ts';
import { SourceFailed } from '../../../../ports/connector.ts';
import { RawConnection } from './raw-connection.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { disableNewerTimeouts, startOptions } from './session-settings.ts';

type Source = ConnectorContext<'postgres'>['source'];

const connectTimeoutMs = 15_000;
/** Time without traffic after which TCP keepalive probes start. */
const keepAliveMs = 10_000;

interface Connected {
  client: Client;
  /** Its socket. Undefined with TLS, whose socket is the driver's. */
  receiver: Receiver | undefined;
}

/** The server asked for the password in clear over a connection without TLS. */
export class CleartextRefused extends Error {}

/**
 * Opens connections to the pipe's server: to an address that the egress guard allows, over TLS if
 * the server offers it.
 */
export class Server {
  readonly #source: Source;
  readonly #egress: ConnectorContext['egress'];
  readonly #startOptions: string;
  readonly #open = new Set<{ close(): void }>();
  #plain = false;
  #closed = false;

  constructor({
    source,
    egress,
    purpose,
  }: Pick<ConnectorContext<'postgres'>, 'source' | 'egress' | 'purpose'>) {
    this.#source = source;
    this.#egress = egress;
    this.#startOptions = startOptions(purpose);
  }

  /** A connection for statements with parameters. */
  async client(): Promise<Client> {
    const client = oneAtATime((await this.#connect(false)).client);
    const close = (): void => {
      client.end().catch(() => undefined);
    };
    this.#open.add({ close });
    if (this.#closed) {
      close();
    }
    return client;
  }

  /** A connection for COPY (`replication: false`) or for the replication protocol. */
  async raw(replication: boolean): Promise<RawConnection> {
    const { client, receiver } = await this.#connect(replication);
    // Changes are kept until they are stored, so their memory is not reused.
    const raw = new RawConnection(client, replication ? undefined : receiver);
    this.#open.add(raw);
    if (this.#closed) {
      raw.close();
    }
    return raw;
  }

  /** Closes every connection. */
  close(): void {
    this.#closed = true;
    for (const connection of this.#open) {
      connection.close();
    }
    this.#open.clear();
  }

  async #connect(replication: boolean): Promise<Connected> {
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
          'the server does not offer TLS, but source.postgres.caCertificate requires it. Enable TLS on the server.',
          { cause: error, problem: { reason: 'tls_refused', field: 'caCertificate' } },
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
  ): Promise<Connected> {
    if (this.#closed) {
      throw new Error('the connector is closed');
    }
    const { port = 5432, database, credentials } = this.#source;
    const receiver = ssl ? undefined : openReceiver();
    const client = new Client({
      ...(receiver && { stream: () => receiver.socket }),
      host: address,
      port,
      database,
      user: credentials?.username ?? 'postgres',
      // A function, so that the client reads neither PGPASSWORD nor a password file.
      password: () => credentials?.password ?? '',
      ssl: ssl ?? false,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      connectionTimeoutMillis: connectTimeoutMs,
      application_name: 'sightline',
      options: this.#startOptions,
      ...(replication ? { replication: 'database' } : {}),
    } as ConstructorParameters<typeof Client>[0]);
    // A lost connection also fails the running query or the next one, which reports it.
    client.on('error', () => undefined);
    const attempt = { close: () => connectionOf(client).stream.destroy() };
    this.#open.add(attempt);
    try {
      const connecting = client.connect();
      if (!ssl) {
        refuseCleartext(client);
      }
      await connecting;
      await client.query(disableNewerTimeouts);
      return { client, receiver };
    } finally {
      this.#open.delete(attempt);
    }
  }
}

/** Lets several callers share one connection: each query waits for the one before. */
function oneAtATime(client: Client): Client {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  let last: Promise<unknown> = Promise.resolve();
  const queued = (...args: unknown[]): Promise<unknown> => {
    const result = last.then(() => query(...args));
    last = result.catch(() => undefined);
    return result;
  };
  return Object.assign(client, { query: queued });
}

/**
 * Without a CA certificate TLS only protects from eavesdroppers. With one the client also verifies
 * the server's identity.
 */
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

/** The driver does not publish its protocol connection, whose events name the login method. */
function connectionOf(client: Client): EventEmitter & { stream: Socket } {
  return (client as unknown as { connection: EventEmitter & { stream: Socket } }).connection;
}

function refuseCleartext(client: Client): void {
  const connection = connectionOf(client);
  connection.removeAllListeners('authenticationCleartextPassword');
  connection.on('authenticationCleartextPassword', () => {
    connection.stream.destroy(new CleartextRefused('the server asks for the password in clear'));
  });
}
