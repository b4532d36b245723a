import { expect, test } from 'vitest';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { sql } from '../../src/sql/sql.ts';
import { testRows } from '../kit/telemetry.ts';

const admin = { purpose: 'admin', timeoutMs: 30_000 } as const;

/** What a process does with a database that a newer release has migrated. */
export function newerReleaseTests(telemetryOf: () => Telemetry): void {
  test('a database with a step of a newer release is left alone', async () => {
    const telemetry = telemetryOf();
    await telemetry.migrate('newer');
    // Without a kind, as releases before the column recorded it.
    await telemetry.command(
      sql`INSERT INTO newer.sightline_migrations (Version, Name) VALUES (998, 'later')`,
      admin,
    );
    await expect(telemetry.migrate('newer')).rejects.toThrow(/version 998.*Run a newer release/);
    await telemetry.command(
      sql`INSERT INTO newer.sightline_migrations (Version, Name, Kind) VALUES (999, 'x', 'contract')`,
      admin,
    );
    await expect(telemetry.migrate('newer')).rejects.toThrow(/version 999.*Run a newer release/);
  });

  test('a database that a newer release has only extended takes rows as before', async () => {
    const telemetry = telemetryOf();
    await telemetry.migrate('extended');
    const { insert } = testRows(telemetry, 'extended');
    const log = (body: string) =>
      insert('otel_logs', [{ Timestamp: '2026-11-20 10:00:00', Body: body }]);
    await log('before');
    await telemetry.command(
      sql`ALTER TABLE extended.otel_logs ADD COLUMN Later String DEFAULT 'unknown'`,
      admin,
    );
    await telemetry.command(
      sql`INSERT INTO extended.sightline_migrations (Version, Name, Kind) VALUES (999, 'x', 'expand')`,
      admin,
    );
    await log('while it runs');
    expect(await telemetry.migrate('extended')).toEqual([]);
    await log('after its start');
    const { rows } = await telemetry.query(
      sql`SELECT Body, Later FROM extended.otel_logs ORDER BY Body`,
      admin,
    );
    expect(rows).toEqual([
      ['after its start', 'unknown'],
      ['before', 'unknown'],
      ['while it runs', 'unknown'],
    ]);
  });
}
