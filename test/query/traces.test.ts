import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Source } from '../../src/contract/source.ts';
import { createQuery } from '../../src/core/query/index.ts';
import { identifier, qualified, sql } from '../../src/sql/sql.ts';
import { ids, openQueryKit, t0, time, type QueryKit } from './query-kit.ts';

let kit: QueryKit;
type TraceSource = Extract<Source, { kind: 'trace' }>;
let source: TraceSource;
const hostile = `x' OR '1'='1`;

const span = (atMs: number, over: object = {}) => ({
  Timestamp: time(atMs),
  TraceId: 'one',
  SpanId: 's',
  ParentSpanId: '',
  SpanName: 'GET /',
  SpanKind: 'Server',
  ServiceName: 'web',
  Duration: '1000000',
  StatusCode: 'Ok',
  StatusMessage: '',
  'Events.Timestamp': [] as string[],
  'Events.Name': [] as string[],
  'Events.Attributes': [] as object[],
  ...over,
});

beforeAll(async () => {
  kit = await openQueryKit();
  source = kit.sources[ids.traces] as TraceSource;
  await kit.insert('otel_traces', [
    span(t0 + 20, {
      SpanId: 'child',
      ParentSpanId: 'root',
      ServiceName: 'db',
      StatusCode: 'Error',
    }),
    span(t0 + 10, {
      SpanId: 'root',
      Duration: '50000001',
      'Events.Timestamp': [time(t0 + 11)],
      'Events.Name': ['exception'],
      'Events.Attributes': [{ a: 'b' }],
    }),
    span(t0 + 86_400_000, { TraceId: 'other' }),
  ]);
  // A long trace whose spans arrive in two inserts, hours apart.
  await kit.insert('otel_traces', [span(t0, { TraceId: 'long', SpanId: 'a' })]);
  await kit.insert('otel_traces', [span(t0 + 20 * 3_600_000, { TraceId: 'long', SpanId: 'b' })]);
});
afterAll(() => kit.close());

const trace = (traceId: string, from = source, atMs?: number) =>
  kit.query.trace({ traceId, atMs }, from);

describe('a trace', () => {
  it('has all its spans in order of their start, and its bounds', async () => {
    expect(await trace('one')).toEqual({
      traceId: 'one',
      sourceId: ids.traces,
      startTime: t0 + 10,
      endTime: t0 + 61,
      startNanos: `${t0 + 10}000000`,
      durationNanos: 50_000_001,
      spanCount: 2,
      truncated: false,
      spans: [
        {
          _id: expect.stringMatching(/^\d+-[0-9a-f]{32}$/) as string,
          spanId: 'root',
          parentSpanId: '',
          serviceName: 'web',
          name: 'GET /',
          kind: 'Server',
          startNanos: 0,
          durationNanos: 50_000_001,
          statusCode: 'Ok',
          statusMessage: '',
          events: 1,
        },
        expect.objectContaining({ spanId: 'child', parentSpanId: 'root', startNanos: 10_000_000 }),
      ],
    });
  });

  it('is found without a time range, however long it lasts', async () => {
    const found = await trace('long');
    expect(found?.spans.map(({ spanId }) => spanId)).toEqual(['a', 'b']);
    expect(found?.durationNanos).toBe(20 * 3_600_000 * 1_000_000 + 1_000_000);
  });

  it('its spans lead to their rows', async () => {
    const found = await trace('one');
    const row = await kit.query.searchRow(
      { sourceId: ids.traces, id: found!.spans[0]!._id },
      source,
    );
    expect(row?.row).toMatchObject({ SpanId: 'root', 'Events.Name': ['exception'] });
  });

  it('reads only the part of the table that the index names', async () => {
    const { telemetry } = kit;
    const texts: string[] = [];
    const watched = {
      query: (...args: Parameters<typeof telemetry.query>) => {
        texts.push(args[0].text);
        return telemetry.query(...args);
      },
      columns: telemetry.columns.bind(telemetry),
    } as typeof telemetry;
    const query = createQuery({
      telemetry: watched,
      workspaceDatabase: () => Promise.resolve(kit.database),
      clock: { now: () => t0 },
      limits: { timeoutMs: 20_000 },
    });
    await query.trace({ traceId: 'one', atMs: undefined }, source);
    expect(texts).toHaveLength(2);
    expect(texts[0]).toContain('`otel_traces_trace_id_ts`');
    expect(texts[1]).toContain(`fromUnixTimestamp64Milli(toInt64(${t0}))`);
    expect(texts[1]).toContain(`fromUnixTimestamp64Milli(toInt64(${t0 + 1000}))`);
  });

  it('an unknown id finds nothing; an id is a text, not SQL', async () => {
    expect(await trace('nobody')).toBeUndefined();
    expect(await trace(hostile)).toBeUndefined();
    await kit.insert('otel_traces', [span(t0, { TraceId: hostile, SpanId: 'hostile' })]);
    expect((await trace(hostile))?.spans.map(({ spanId }) => spanId)).toEqual(['hostile']);
  });

  it('equal spans have identities of their own', async () => {
    await kit.insert('otel_traces', [
      span(t0, { TraceId: 'twice' }),
      span(t0, { TraceId: 'twice' }),
    ]);
    const found = await trace('twice');
    expect(new Set(found?.spans.map(({ _id }) => _id)).size).toBe(2);
  });

  it('a duration beyond all bounds does no harm', async () => {
    await kit.insert('otel_traces', [
      span(t0, { TraceId: 'huge', Duration: '18446744073709551615' }),
    ]);
    expect((await trace('huge'))?.durationNanos).toBe(9.2e18);
  });
});

describe('a table of somebody else', () => {
  const other = (over: object): TraceSource =>
    Source.parse({
      ...source,
      id: ids.unknown,
      from: { databaseName: kit.database, tableName: 'spans' },
      traceIdExpression: 'trace',
      timestampValueExpression: 'at',
      spanIdExpression: 'span',
      spanNameExpression: 'lower(op)',
      durationExpression: 'ms',
      durationPrecision: 3,
      ...over,
    }) as TraceSource;

  it('needs no index and not all columns; `at` narrows the search', async () => {
    const table = qualified(kit.database, 'spans');
    await kit.command(
      sql`CREATE TABLE ${table} (at DateTime, trace UUID, span UInt64, op String, ms Float64)
        ENGINE = MergeTree ORDER BY ${identifier('at')}`,
    );
    const uuid = '7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f';
    await kit.insert('spans', [
      { at: t0 / 1000, trace: uuid, span: 7, op: 'READ', ms: 1.5 },
      { at: t0 / 1000 + 86_400, trace: uuid, span: 8, op: 'LATE', ms: 1 },
    ]);
    const [all, near] = [await trace(uuid, other({})), await trace(uuid, other({}), t0)];
    expect(all?.spans.map(({ name }) => name)).toEqual(['read', 'late']);
    expect(near?.spans).toEqual([
      expect.objectContaining({ spanId: '7', name: 'read', durationNanos: 1_500_000, events: 0 }),
    ]);
  });

  it('that does not exist has no traces', async () => {
    const from = { databaseName: kit.database, tableName: 'nothing' };
    expect(await trace('one', other({ from }))).toBeUndefined();
  });
});

it('of more than 20,000 spans shows the earliest, with the bounds of all', async () => {
  await kit.command(
    sql`INSERT INTO ${qualified(kit.database, 'otel_traces')} (Timestamp, TraceId, SpanId, Duration)
      SELECT fromUnixTimestamp64Milli(toInt64(${t0} + number)), 'many', toString(number), 1000
      FROM numbers(20001)`,
  );
  const found = await trace('many');
  expect([found?.spanCount, found?.truncated, found?.spans.length]).toEqual([20_001, true, 20_000]);
  expect(found?.spans.at(-1)?.spanId).toBe('19999');
  expect(found?.durationNanos).toBe(20_000 * 1_000_000 + 1000);
});
