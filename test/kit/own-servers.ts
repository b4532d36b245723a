import { http } from './http.ts';

/**
 * `TEST_CLICKHOUSE_URL` names somebody's own server, a cluster of one shard, or the shards of a
 * cluster: addresses with credentials, separated by commas. `TEST_CLICKHOUSE_CLUSTER` is the name of
 * the cluster. The suites create and drop databases there.
 */
const addresses = (process.env['TEST_CLICKHOUSE_URL'] ?? '').split(',').filter(Boolean);
const clusterName = process.env['TEST_CLICKHOUSE_CLUSTER'];

/** Undefined: a server is started for the suite. */
export const ownServer: { url: string; clusterName: string | undefined } | undefined =
  addresses.length === 1 ? { url: addresses[0]!, clusterName } : undefined;

/** Undefined: servers are started for the suite. */
export const ownShards: { urls: readonly string[]; clusterName: string } | undefined =
  addresses.length > 1 ? { urls: addresses, clusterName: clusterName ?? '' } : undefined;

/** Runs a statement on a server past the telemetry. */
export async function askAddress(address: string, statement: string): Promise<string> {
  const url = new URL(address);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const headers = url.username === '' ? {} : { authorization };
  url.username = '';
  url.password = '';
  const { status, text } = await http('POST', url.href, { body: statement, headers });
  if (status !== 200) {
    throw new Error(text);
  }
  return text.trim();
}
