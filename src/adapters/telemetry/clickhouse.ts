import { TelemetryError, type Telemetry } from '../../ports/telemetry.ts';
import { literal } from '../../sql/sql.ts';
import { connectionsFor, EngineClient, type Credentials } from './engine-client.ts';
import { EngineTelemetry } from './engine-telemetry.ts';
import type { Endpoint } from './engine.ts';
import { HttpEngine } from './http-engine.ts';
import type { QueryLimits } from './fairness/fair-limiter.ts';
import { rights, type Right } from './rights/engine-users.ts';
import { ServerUsers, type ServerUsersOptions } from './rights/server-users.ts';
import { onClusterText } from './rights/user-statements.ts';
import type { RollupCheckTiming } from './tables/rollup-check.ts';
import type { SchemaOptions } from './tables/schema.ts';

export interface ClickHouseOptions extends SchemaOptions {
  /** `http(s)://[user[:password]@]host[:port][/path]`. The credentials appear in no error. */
  url: string;
  username?: string | undefined;
  password?: string | undefined;
  /** The address is that of an embedded engine, which another process has started. */
  embedded?: boolean;
  /** Requests at once, and how many may wait. */
  limits?: Partial<QueryLimits>;
  /** How long `close` waits for queries to end before it stops them. */
  closeWaitMs?: number;
  /** Makes users of each database; absent: every request runs as the user of the address. */
  users?: ServerUsersOptions | undefined;
  rollupCheck?: Partial<RollupCheckTiming> | undefined;
}

const askTimeoutMs = 10_000;
const size = { width: 16, queueLimit: 256 };
const defaultLimits: QueryLimits = {
  chart: size,
  export: size,
  alert: size,
  ingest: size,
  pipe: size,
  load: size,
  admin: size,
};

/**
 * Connects to a ClickHouse server over HTTP; nothing is sent before the first call.
 * @throws TelemetryError unavailable for an address that cannot be one.
 */
export async function openClickHouse(options: ClickHouseOptions): Promise<Telemetry> {
  const { endpoint, limits } = serverConnection(options);
  const closeWaitMs = options.closeWaitMs ?? 3_000;
  const engine = new HttpEngine({ endpoint, limits, closeWaitMs });
  return new EngineTelemetry(engine, options, options.rollupCheck);
}

/** @throws TelemetryError unavailable for an address that cannot be one. */
export function serverConnection(options: ClickHouseOptions): {
  endpoint: Endpoint;
  limits: QueryLimits;
} {
  const limits = { ...defaultLimits, ...options.limits };
  return { endpoint: serverEndpoint(options, limits), limits };
}

/**
 * Makes the users of a database as the first requests would, and gives by right why one cannot be
 * used.
 * @throws TelemetryError if the server does not answer.
 */
export async function provideServerUsers(
  options: ClickHouseOptions & { users: ServerUsersOptions },
  database: string,
): Promise<Map<Right, string | undefined>> {
  const { client, ask, onCluster } = connect(options, { ...defaultLimits, ...options.limits });
  const users = new ServerUsers(options.users, ask, onCluster);
  const reasons = new Map<Right, string | undefined>();
  try {
    for (const right of rights) {
      reasons.set(right, await users.provide({ right, database }));
    }
  } finally {
    await client.close();
  }
  return reasons;
}

function connect(options: ClickHouseOptions, limits: QueryLimits) {
  const { url, username, password } = address(options);
  const client = new EngineClient({
    url,
    username,
    password,
    connections: connectionsFor(limits),
    compressed: true,
  });
  const ask = (query: string, auth?: Credentials): Promise<string> =>
    client.text({ query, auth, signal: AbortSignal.timeout(askTimeoutMs) });
  const secrets = [password, encodeURIComponent(password)].filter((text) => text !== '');
  const onCluster = onClusterText(options.clusterName);
  return { client, ask, onCluster, secrets };
}

function serverEndpoint(options: ClickHouseOptions, limits: QueryLimits): Endpoint {
  const { client, ask, onCluster, secrets } = connect(options, limits);
  const users = options.users && new ServerUsers(options.users, ask, onCluster);
  return {
    embedded: options.embedded ?? false,
    guardsEgress: false,
    async confines(purpose, database) {
      await users?.admit(purpose, database);
      return users?.auth(purpose, database) !== undefined;
    },
    relayFor: () => Promise.resolve(undefined),
    process: undefined,
    onCluster,
    secrets,
    client,
    auth: (purpose, database) => users?.auth(purpose, database),
    admits: (purpose, database) => users?.admits(purpose, database) ?? true,
    async hasDatabase(database) {
      const name = literal(database).text;
      const count = await ask(`SELECT count() FROM system.databases WHERE name = ${name}`);
      return count.trim() !== '0';
    },
    renews: (error) => users?.renews(error) ?? false,
    withdraw: (purpose, database, reason) => users?.withdraw(purpose, database, reason) ?? false,
    admit: async (purpose, database) => users?.admit(purpose, database),
    starting: false,
    ready: async () => {},
    executed: () => {},
    stuck: () => {},
    close: () => client.close(),
  };
}

/** Takes the credentials out of the address, so that whatever prints it cannot print them. */
function address(options: ClickHouseOptions): Credentials & { url: URL } {
  let url: URL;
  try {
    url = new URL(options.url);
  } catch {
    throw new TelemetryError('unavailable', 'the ClickHouse address is not a URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TelemetryError(
      'unavailable',
      `the ClickHouse address must begin with http:// or https://, not ${url.protocol}//`,
    );
  }
  const username = options.username ?? (decodeURIComponent(url.username) || 'default');
  const password = options.password ?? decodeURIComponent(url.password);
  url.username = '';
  url.password = '';
  return { url, username, password };
}
