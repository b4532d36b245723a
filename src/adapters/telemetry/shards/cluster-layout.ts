import { TelemetryError } from '../../../ports/telemetry.ts';
import { literal } from '../../../sql/sql.ts';

/** One address of `SIGHTLINE_CLICKHOUSE_URL`. */
export interface Server {
  /** Its origin, without credentials. */
  label: string;
  /** Runs a query that reads nothing but system tables. Gives its text. */
  ask(query: string, timeoutMs: number): Promise<string>;
}

/** A shard as the servers know it. */
export interface ShardPlace {
  /** From 1, as in `system.clusters`. */
  number: number;
  /** `host:port` of the native protocol. */
  name: string;
}

export interface ClusterLayout<S extends Server = Server> {
  shards: readonly (ShardPlace & { server: S | undefined })[];
  /** Servers that did not answer: each is one of the shards without a server. */
  silent: readonly S[];
  /** Versions of the servers that answered, each once. */
  versions: readonly string[];
  hasReplicas: boolean;
}

interface Description {
  places: ShardPlace[];
  hasReplicas: boolean;
  /** Number of the shard that the server itself is; undefined: it is not in the cluster. */
  own: number | undefined;
  version: string;
}

const askTimeoutMs = 10_000;

/**
 * Asks every server for the cluster, and finds out which shard each address is.
 * @throws TelemetryError if no server answers, or if the addresses are not the shards of the cluster
 */
export async function readLayout<S extends Server>(
  servers: readonly S[],
  cluster: string,
): Promise<ClusterLayout<S>> {
  const answers = await Promise.allSettled(servers.map((server) => describe(server, cluster)));
  const known: { server: S; description: Description }[] = [];
  const silent: S[] = [];
  for (const [index, answer] of answers.entries()) {
    const server = servers[index]!;
    if (answer.status === 'fulfilled') {
      known.push({ server, description: answer.value });
    } else if (isSilence(answer.reason)) {
      silent.push(server);
    } else {
      throw answer.reason;
    }
  }
  const [first] = known;
  if (!first) {
    const [refused] = answers;
    throw refused?.status === 'rejected' ? refused.reason : problem('no address is given');
  }
  requireAgreement(known, cluster);
  const { places, hasReplicas } = first.description;
  const owners = ownersOf(known, cluster, hasReplicas);
  const shards = places.map((place) => ({ ...place, server: owners.get(place.number) }));
  requireAddresses(shards, silent, cluster);
  const versions = [...new Set(known.map(({ description }) => description.version))];
  return { shards, silent, versions, hasReplicas };
}

/**
 * The number of the shard that a server is.
 * @throws TelemetryError if it does not answer or is not in the cluster
 */
export async function ownShard(server: Server, cluster: string): Promise<number | undefined> {
  return (await describe(server, cluster)).own;
}

async function describe(server: Server, cluster: string): Promise<Description> {
  const text = await server.ask(
    `SELECT shard_num, replica_num, host_name, port, is_local, version() FROM system.clusters
      WHERE cluster = ${literal(cluster).text} ORDER BY shard_num, replica_num FORMAT JSONCompactEachRow`,
    askTimeoutMs,
  );
  const rows = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as [number, number, string, number, number, string]);
  if (rows.length === 0) {
    throw await unknownCluster(server, cluster);
  }
  const firsts = rows.filter(([, replica]) => replica === 1);
  return {
    places: firsts.map(([number, , host, port]) => ({ number, name: `${host}:${port}` })),
    hasReplicas: firsts.length < rows.length,
    own: rows.find(([, , , , isLocal]) => isLocal === 1)?.[0],
    version: rows[0]![5],
  };
}

async function unknownCluster(server: Server, cluster: string): Promise<TelemetryError> {
  const names = await server.ask(
    `SELECT DISTINCT cluster FROM system.clusters ORDER BY cluster FORMAT TSV`,
    askTimeoutMs,
  );
  const list = names.trim().split('\n').filter(Boolean).join(', ');
  return problem(
    `the server at ${server.label} has no cluster "${cluster}"; it has ${list || 'none'}. ` +
      'Set SIGHTLINE_CLICKHOUSE_CLUSTER to the name of its cluster, ' +
      'or add the cluster to remote_servers of the server.',
  );
}

function requireAgreement(
  known: readonly { server: Server; description: Description }[],
  cluster: string,
): void {
  const [first, ...others] = known;
  const text = ({ description }: { description: Description }): string =>
    description.places.map(({ number, name }) => `${number}: ${name}`).join(', ');
  const other = others.find((each) => text(each) !== text(first!));
  if (first && other) {
    throw problem(
      `the servers do not agree on the shards of the cluster "${cluster}": ` +
        `${first.server.label} has ${text(first)}; ${other.server.label} has ${text(other)}. ` +
        'Make remote_servers equal on all servers.',
    );
  }
}

function ownersOf<S extends Server>(
  known: readonly { server: S; description: Description }[],
  cluster: string,
  hasReplicas: boolean,
): Map<number, S> {
  const owners = new Map<number, S>();
  for (const { server, description } of known) {
    const { own } = description;
    if (own === undefined) {
      throw problem(
        `the server at ${server.label} is not in the cluster "${cluster}", ` +
          `which has ${description.places.map(({ name }) => name).join(', ')}. ` +
          'Remove the address from SIGHTLINE_CLICKHOUSE_URL, or add the server to remote_servers.',
      );
    }
    const before = owners.get(own);
    if (before && !hasReplicas) {
      throw problem(
        `${before.label} and ${server.label} are the same shard ${own} of the cluster "${cluster}". ` +
          'Name each shard once in SIGHTLINE_CLICKHOUSE_URL.',
      );
    }
    owners.set(own, before ?? server);
  }
  return owners;
}

function requireAddresses(
  shards: readonly (ShardPlace & { server: Server | undefined })[],
  silent: readonly Server[],
  cluster: string,
): void {
  const missing = shards.filter(({ server }) => server === undefined);
  if (shards.length > 1 && missing.length > silent.length) {
    const names = missing.map(({ number, name }) => `${number} (${name})`).join(', ');
    throw problem(
      `SIGHTLINE_CLICKHOUSE_URL has no address for shard ${names} of the cluster "${cluster}". ` +
        'List the HTTP address of every shard, separated by commas.',
    );
  }
}

const isSilence = (error: unknown): boolean =>
  error instanceof TelemetryError &&
  error.kind === 'unavailable' &&
  !/Code: \d+/.test(error.message);

const problem = (message: string): TelemetryError => new TelemetryError('other', message);
