import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import { sql } from '../../src/sql/sql.ts';
import { until } from '../kit/eventually.ts';

/**
 * Merges two parts of a table, waits until the engine has removed them, and says so on stdout; made
 * to lose its disk.
 */
const [path = ''] = process.argv.slice(2);
const admin = { purpose: 'admin', timeoutMs: 60_000 } as const;
const telemetry = await openEmbedded({ path });
await telemetry.command(sql`CREATE DATABASE shop`, admin);
await telemetry.command(
  sql`CREATE TABLE shop.merged (n UInt64) ENGINE = MergeTree ORDER BY n`,
  admin,
);
for (const from of [0, 100_000]) {
  await telemetry.command(
    sql`INSERT INTO shop.merged SELECT ${from} + number FROM numbers(100000)`,
    admin,
  );
}
await telemetry.command(sql`OPTIMIZE TABLE shop.merged FINAL`, admin);
// Clears away replaced parts, as the engine does by itself within half a minute.
await telemetry.command(sql`ALTER TABLE shop.merged DROP PARTITION ID 'none'`, admin);
await until('the replaced parts are gone', async () => {
  const { rows } = await telemetry.query(
    sql`SELECT count() FROM system.parts WHERE database = 'shop' AND table = 'merged'`,
    admin,
  );
  return Number(rows[0]?.[0]) === 1;
});
process.stdout.write('merged\n');
setInterval(() => undefined, 60_000);
