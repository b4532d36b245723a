import { expect, test } from 'vitest';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { sql } from '../../src/sql/sql.ts';
import { testRows } from '../kit/telemetry.ts';

const admin = { purpose: 'admin', timeoutMs: 30_000 } as const;

/** What a process does with a database that an earlier release has made. */
export function earlierReleaseTests(telemetryOf: () => Telemetry): void {
  test('its attributes are compressed as in new tables, unless somebody chose a codec', async () => {
    const telemetry = telemetryOf();
    await telemetry.migrate('earlier');
    const { insert } = testRows(telemetry, 'earlier');
    await insert('otel_logs', [{ Timestamp: '2026-11-20 10:00:00', LogAttributes: { a: 'b' } }]);
    for (const statement of [
      sql`ALTER TABLE earlier.otel_logs MODIFY COLUMN LogAttributes CODEC(ZSTD(1)),
        MODIFY COLUMN ResourceAttributes CODEC(LZ4HC(9))`,
      sql`TRUNCATE TABLE earlier.sightline_migrations`,
      sql`INSERT INTO earlier.sightline_migrations (Version, Name) VALUES (1, 'first')`,
    ]) {
      await telemetry.command(statement, admin);
    }
    expect(await telemetry.migrate('earlier')).toEqual(['attributes compressed more']);
    const codecs = sql`SELECT name, compression_codec FROM system.columns
      WHERE database = 'earlier' AND table = 'otel_logs' AND name LIKE '%Attributes' ORDER BY name`;
    expect((await telemetry.query(codecs, admin)).rows).toEqual([
      ['LogAttributes', 'CODEC(ZSTD(3))'],
      ['ResourceAttributes', 'CODEC(LZ4HC(9))'],
      ['ScopeAttributes', 'CODEC(ZSTD(3))'],
    ]);
    const row = sql`SELECT LogAttributes['a'] FROM earlier.otel_logs`;
    expect((await telemetry.query(row, admin)).rows).toEqual([['b']]);
  });
}
