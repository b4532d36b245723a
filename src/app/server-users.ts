import { provideServerUsers } from '../adapters/telemetry/clickhouse.ts';
import { rights } from '../adapters/telemetry/rights/engine-users.ts';
import { workOf } from '../adapters/telemetry/rights/server-users.ts';
import {
  onClusterText,
  userStatements,
  type ServerUser,
} from '../adapters/telemetry/rights/user-statements.ts';
import { createLog } from '../adapters/ambient/log.ts';
import type { Vault } from '../ports/ambient.ts';
import type { Workspace } from '../ports/principal.ts';
import type { Config } from './config/config.ts';

/** What the passwords of users on a ClickHouse server are made of. */
export const serverUserSecret = (vault: Vault): string =>
  vault.derive('users of the ClickHouse server');

/**
 * The statements that create the users of all workspaces, for an operator who does not let the
 * server create users itself. With several shards, each shard needs them.
 */
export function serverUserSql(
  config: Config,
  vault: Vault,
  workspaces: readonly Pick<Workspace, 'database' | 'listedDatabases'>[],
): string {
  const own = new Set([config.clickhouseDatabase, ...workspaces.map(({ database }) => database)]);
  const listed = new Set(workspaces.flatMap(({ listedDatabases }) => listedDatabases));
  const users: ServerUser[] = [
    ...[undefined, ...own].flatMap((database) => rights.map((right) => ({ right, database }))),
    ...[...listed]
      .filter((database) => !own.has(database))
      .map((database) => ({ right: 'pipe' as const, database })),
  ];
  const onCluster = onClusterText(isSharded(config) ? undefined : config.clickhouseCluster);
  const secret = serverUserSecret(vault);
  return users
    .flatMap((user) => {
      const { make, grants } = userStatements(user, secret, onCluster);
      return [...make, ...grants.map(({ statement }) => statement)];
    })
    .map((statement) => `${statement};`)
    .join('\n');
}

const isSharded = ({ clickhouseUrl: urls = [] }: Config): boolean => urls.length > 1;

/** Who runs work on the ClickHouse server, or on the first shard that lacks a user, for the doctor. */
export async function serverUserFindings(config: Config, vault: Vault): Promise<string> {
  const { clickhouseUrl: urls = [], clickhouseCluster, clickhouseDatabase } = config;
  const users = { secret: () => serverUserSecret(vault), log: createLog({ level: 'silent' }) };
  const clusterName = isSharded(config) ? undefined : clickhouseCluster;
  for (const url of urls) {
    const reasons = await provideServerUsers({ url, clusterName, users }, clickhouseDatabase);
    const withoutUser = [...reasons].filter(([, reason]) => reason !== undefined);
    if (withoutUser.length > 0) {
      const work = withoutUser.map(([right]) => workOf[right]).join(', ');
      const reason = withoutUser[0]?.[1]?.replaceAll(/\s+/g, ' ').slice(0, 200);
      const where = isSharded(config) ? ` at ${new URL(url).origin}` : '';
      return `the user of the address runs ${work}${where}: ${reason}. To separate them, see docs/operations.md`;
    }
  }
  return 'charts, ingestion and pipes run as users of their own';
}
