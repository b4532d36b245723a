import { expect } from 'vitest';
import { ChartRequest } from '../../src/contract/query/chart.ts';
import { Fault, faultCodes } from '../../src/contract/errors.ts';
import { FacetRequest } from '../../src/contract/query/facets.ts';
import { SearchRequest } from '../../src/contract/query/search.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { createQuery } from '../../src/core/query/index.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { ids, log, openQueryKit, t0, type QueryKit } from './query-kit.ts';

export interface Target {
  kit: QueryKit;
  /** Pieces that hostile text is made of. */
  fragments: string[];
  expectUnchanged(): Promise<void>;
}

/** An engine with a few rows, whose every statement is looked at before it runs. */
export async function openTarget(): Promise<Target> {
  const kit = await openQueryKit();
  await kit.insert('otel_logs', [
    log(t0 + 1000, { Body: 'canary one', LogAttributes: { a: 'b' } }),
    log(t0 + 2000, { ServiceName: 'cart', Body: 'canary two' }),
  ]);
  const { telemetry } = kit;
  const watched = {
    query: (...[statement, options]: Parameters<Telemetry['query']>) => {
      inspect(statement.text);
      return telemetry.query(statement, options);
    },
    columns: telemetry.columns.bind(telemetry),
    forgetColumns: telemetry.forgetColumns.bind(telemetry),
    rollupExactFrom: telemetry.rollupExactFrom.bind(telemetry),
  } as Telemetry;
  kit.query = createQuery({
    telemetry: watched,
    workspaceDatabase: () => Promise.resolve(kit.database),
    clock: { now: () => t0 },
    limits: { timeoutMs: 10_000, maxMemoryBytes: 200_000_000 },
  });
  const state = async () => [
    await kit.rows(
      sql`SELECT name, engine, total_rows FROM system.tables
        WHERE database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA')
        ORDER BY name`,
    ),
    await kit.rows(sql`SELECT * FROM ${qualified(kit.database, 'otel_logs')} ORDER BY Timestamp`),
    await kit.rows(sql`SELECT name FROM system.databases ORDER BY name`),
  ];
  const before = await state();
  return {
    kit,
    fragments,
    expectUnchanged: async () => {
      expect(await state()).toEqual(before);
    },
  };
}

/**
 * Text in quotes cannot act; what is left must be one SELECT over the source's table with allowed
 * words only.
 */
function inspect(text: string): void {
  const bare = text
    .replace(/'(?:[^'\\]|\\.)*'/gs, "''")
    .replace(/`(?:[^`\\]|\\.)*`/gs, (name) =>
      /^`(sightline|otel_\w+)`$/.test(name) ? name : '`x`',
    );
  expect(bare).toMatch(/^SELECT /);
  expect(bare).not.toMatch(
    /;|--|\/\*|#|\{|@|\$|\b(INTO|OUTFILE|SETTINGS|FORMAT|UNION|JOIN|WITH|INSERT|DROP)\b/i,
  );
  expect(bare.match(/\bSELECT\b/g)!.length).toBeLessThanOrEqual(3);
  for (const [, table] of bare.matchAll(/\bFROM\s+(\S+)/gi)) {
    expect(['`sightline`.`otel_logs`', '`sightline`.`otel_logs_1m`']).toContain(table);
  }
  for (const [, list] of bare.matchAll(/\bIN\s+(\S)/gi)) {
    expect(list).toBe('(');
  }
  expect(bare).not.toMatch(
    /\b(file|url|s3|remote|cluster|mysql|postgresql|dictGet\w*|joinGet\w*|executable|sleep\w*|hostName|currentUser|getSetting|getMacro|numbers|input)\s*\(/i,
  );
}

/**
 * One text through every place that takes text. @throws where the answer is neither rows nor a 4xx
 * refusal.
 */
export async function attack({ kit }: Target, text: string): Promise<void> {
  const places: Record<string, unknown>[] = [
    { aggFn: 'count', where: text, whereLanguage: 'sql' },
    { aggFn: 'count', where: text },
    { aggFn: 'max', field: text },
    { aggFn: 'count', groupBy: [text] },
    { aggFn: 'count', filters: [{ type: 'field', field: text, op: 'is', values: [text] }] },
  ];
  for (const place of places) {
    await answeredOrRefused(text, () => {
      const request = ChartRequest.safeParse({
        startTime: t0,
        endTime: t0 + 3_600_000,
        granularity: '5m',
        series: [{ sourceId: ids.logs, ...place }],
      });
      return request.success
        ? kit.query.series(request.data, (id) => Promise.resolve(kit.sources[id]))
        : Promise.resolve();
    });
  }
  await answeredOrRefused(text, () => {
    const request = FacetRequest.safeParse({
      sourceId: ids.logs,
      startTime: t0,
      endTime: t0 + 3_600_000,
      fields: [text],
      search: text.slice(0, 256),
    });
    return request.success
      ? kit.query.facets(request.data, kit.sources[ids.logs]!)
      : Promise.resolve();
  });
  await answeredOrRefused(text, () => {
    const request = SearchRequest.safeParse({
      sourceId: ids.logs,
      startTime: t0,
      endTime: t0 + 3_600_000,
      select: text,
      orderBy: text,
    });
    return request.success
      ? kit.query.search(request.data, kit.sources[ids.logs]!)
      : Promise.resolve();
  });
}

async function answeredOrRefused(text: string, ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof Fault)) {
      throw error;
    }
    const { status } = faultCodes[error.code];
    if (status < 400 || status >= 500) {
      throw new Error(`${error.code} for ${JSON.stringify(text.slice(0, 200))}`, { cause: error });
    }
    // What the caller wrote is said again; nothing else of the engine or this machine is.
    expect(withoutEcho(error.message, text)).not.toMatch(/Code: \d|DB::|SELECT .* FROM|\/tmp\//);
  }
}

/** Runs shorter than this are not taken for an echo. */
const echoMin = 4;

/**
 * The message without the runs of characters that the attack itself contained, as written or with
 * its escapes read.
 */
export function withoutEcho(said: string, attacked: string): string {
  const forms = [attacked, attacked.replace(/\\(.)/gs, '$1'), attacked.replace(/(['"`])\1/g, '$1')];
  let own = '';
  for (let position = 0; position < said.length;) {
    let length = 0;
    while (
      position + length < said.length &&
      forms.some((form) => form.includes(said.slice(position, position + length + 1)))
    ) {
      length++;
    }
    if (length < echoMin) {
      own += said[position];
    }
    position += length < echoMin ? 1 : length;
  }
  return own;
}

const fragments = [
  ' ',
  ' ',
  '(',
  ')',
  ',',
  "'",
  '"',
  '`',
  '\\',
  ';',
  '--',
  '/*',
  '*/',
  '#',
  '{',
  '}',
  '[',
  ']',
  '.',
  ':',
  '::',
  '->',
  '=',
  '!=',
  '<',
  '>',
  '+',
  '-',
  '*',
  '/',
  '%',
  '?',
  '@@',
  '$$',
  '||',
  '&&',
  '\n',
  '\0',
  ' AND ',
  ' OR ',
  ' NOT ',
  ' IN ',
  ' LIKE ',
  ' ILIKE ',
  ' BETWEEN ',
  ' IS NULL',
  ' AS ',
  'CASE WHEN ',
  ' THEN ',
  ' ELSE ',
  ' END',
  'INTERVAL ',
  'SELECT ',
  ' FROM ',
  ' UNION ALL ',
  ' SETTINGS ',
  ' FORMAT ',
  ' INTO OUTFILE ',
  'DROP TABLE ',
  'NULL',
  'CAST(',
  ' DESC',
  'Body',
  'ServiceName',
  'Timestamp',
  'SeverityNumber',
  'LogAttributes',
  "LogAttributes['a']",
  'LogAttributes.a',
  'system.tables',
  'otel_logs',
  '1',
  '0',
  '1.5',
  '1e309',
  '99999999999999999999',
  "'x'",
  "'a''b'",
  "'\\''",
  '[1, 2]',
  '(1, 2)',
  'length(',
  'lower(',
  'concat(',
  'if(',
  'toString(',
  'arrayMap(x -> ',
  'x',
  'has(',
  'match(',
  'replaceAll(',
  'toDateTime(',
  'mapKeys(',
  'file(',
  'url(',
  'sleep(',
  'dictGet(',
  'remote(',
  'getSetting(',
  'hostName()',
  'now()',
  '::Int8',
  '::String',
  'Int64',
  'Array(',
  'Nullable(',
];
