import { readConfig } from '../app/config/config.ts';
import { serverUserSql } from '../app/server-users.ts';
import { beside } from './beside.ts';

/** `sightline admin clickhouse-users` */
export async function clickHouseUsers(
  environment: Record<string, string | undefined>,
): Promise<void> {
  const { config } = readConfig(environment);
  await beside(environment, async ({ store, vault }) =>
    serverUserSql(config, vault, await store.identity.workspaces()),
  );
}
