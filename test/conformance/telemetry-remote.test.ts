import { afterAll, describe, expect, test } from 'vitest';
import { openClickHouse } from '../../src/adapters/telemetry/clickhouse.ts';
import { TelemetryError } from '../../src/ports/telemetry.ts';
import { sql, trusted } from '../../src/sql/sql.ts';
import { startClickHouseServer } from '../kit/clickhouse-server.ts';
import { eventually } from '../kit/eventually.ts';

/**
 * The whole conformance suite over a server is in telemetry-remote.slow.test.ts: its kit opens a
 * session of the engine for every statement.
 */
describe('remote only', () => {
  const password = 's3cret/+ word';
  const started = startClickHouseServer({ user: 'sightline', password });
  afterAll(async () => (await started).close());
  const address = async (user: string, secret: string): Promise<string> =>
    (await started).url.replace(
      'http://',
      `http://${encodeURIComponent(user)}:${encodeURIComponent(secret)}@`,
    );
  const chart = { purpose: 'chart', timeoutMs: 10_000 } as const;

  test('credentials in the address are used, wrong ones are unavailable, and neither shows in an error', async () => {
    const right = await openClickHouse({ url: await address('sightline', password) });
    expect((await right.query(sql`SELECT 1`, chart)).rows).toEqual([[1]]);
    const echoed: unknown = await right
      .query(sql`SELECT toUInt8(${`text with ${password} in it`})`, chart)
      .catch((error: unknown) => error);
    expect(echoed).toBeInstanceOf(TelemetryError);
    expect(everything(echoed)).not.toContain(password);
    await right.close();
    const wrong = await openClickHouse({ url: await address('sightline', 'wr0ng-secret') });
    const refused: unknown = await wrong.ping(5000).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('Authentication failed'),
    });
    expect(everything(refused)).not.toContain('wr0ng-secret');
    await wrong.close();
  });

  test('a server that goes away is unavailable, and is used again when it is back', async () => {
    const server = await started;
    const telemetry = await openClickHouse({ url: await address('sightline', password) });
    await telemetry.ping(5000);
    const stop = telemetry
      .query(sql`SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number))`, {
        ...chart,
        timeoutMs: 60_000,
      })
      .catch((error: unknown) => error);
    await eventually(async () =>
      expect(
        (
          await telemetry.query(
            sql`SELECT count() FROM system.processes WHERE query LIKE '%numbers(1000000000000)%'`,
            { purpose: 'admin', timeoutMs: 5000 },
          )
        ).rows[0]?.[0],
      ).toBe('2'),
    );
    await server.kill();
    expect(await stop).toMatchObject({ kind: 'unavailable' });
    await expect(telemetry.ping(2000)).rejects.toMatchObject({ kind: 'unavailable' });
    await server.restart();
    expect((await telemetry.query(sql`SELECT 1`, chart)).rows).toEqual([[1]]);
    await telemetry.close();
  });

  test.each(['nonsense', 'ftp://host/'])(
    'the address %s is refused before anything is sent',
    async (url) => {
      const error: unknown = await openClickHouse({ url }).catch((cause: unknown) => cause);
      expect(error).toMatchObject({ kind: 'unavailable' });
    },
  );

  test('two statements in one text are refused', async () => {
    const telemetry = await openClickHouse({ url: await address('sightline', password) });
    await expect(telemetry.command(trusted('SELECT 1; SELECT 2'), chart)).rejects.toMatchObject({
      kind: 'syntax',
    });
    await telemetry.close();
  });
});

/** An error with all its causes, as a careless log would print it. */
function everything(error: unknown): string {
  return error instanceof Error
    ? `${error.stack} ${JSON.stringify(error)} ${everything(error.cause)}`
    : String(error);
}
