import type { Telemetry } from '../../../ports/telemetry.ts';
import { sql } from '../../../sql/sql.ts';

/**
 * The cluster of which every node can read a share of the objects: the one named `default`, or else
 * the first with more than one node.
 */
export async function readingCluster(telemetry: Telemetry): Promise<string | undefined> {
  if (telemetry.embedded) {
    return undefined;
  }
  const { rows } = await telemetry.query(
    sql`SELECT cluster FROM system.clusters GROUP BY cluster HAVING count() > 1
      ORDER BY cluster != 'default', cluster LIMIT 1`,
    // Users of pipes see no clusters.
    { purpose: 'admin', timeoutMs: 30_000 },
  );
  return rows[0] === undefined ? undefined : String(rows[0][0]);
}
