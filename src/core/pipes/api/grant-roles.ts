import { invalid, type Fault } from '../../../contract/errors.ts';
import { TelemetryError } from '../../../ports/telemetry.ts';
import { identifier, join, qualified, sql } from '../../../sql/sql.ts';
import type { StoredPipe } from '../definition.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import { engineAway, isEngineAway } from '../engine-away.ts';
import { shardsOf } from '../tables/shards.ts';
import { engineReason } from '../load/records/find-bad-rows.ts';

/**
 * Lets the roles of the pipe read these tables. The engine grants by name, so a table may be made
 * later, but then its name must be reserved: another service's table must not get the grant.
 * @throws Fault bad_request if the engine refuses.
 */
export async function grantRoles(
  { telemetry, log }: PipeVerbDependencies,
  { destination: { database }, roles = [] }: StoredPipe,
  tables: readonly string[],
): Promise<void> {
  if (roles.length === 0 || tables.length === 0) {
    return;
  }
  if (telemetry.embedded) {
    log.warn(
      { database, tables, roles },
      'embedded engine does not support roles; destination.roles has no effect',
    );
    return;
  }
  try {
    for (const shard of shardsOf(telemetry).all()) {
      // A server reads its own rows in the name of the user.
      const names = new Set(tables.flatMap((table) => [table, shard.stored(table)]));
      const grants = [...names].map((name) => sql`SELECT ON ${qualified(database, name)}`);
      await shard.command(
        sql`GRANT ${join(grants, ', ')} TO ${join(roles.map(identifier), ', ')}`,
        { purpose: 'admin', timeoutMs: 30_000 },
      );
    }
  } catch (error) {
    throw error instanceof TelemetryError ? grantFault(error) : error;
  }
}

function grantFault(error: TelemetryError): Fault {
  if (isEngineAway(error)) {
    return engineAway(error);
  }
  return invalid([
    {
      path: 'destination.roles',
      message: `the engine rejected the grant: ${engineReason(error.message)}`,
    },
  ]);
}
