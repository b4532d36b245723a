import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApiWithEngine, type ApiWithEngine } from '../kit/api-with-engine.ts';
import type { ApiKit } from '../kit/api.ts';
import type { JsonAnswer } from '../kit/http.ts';
import { rawHttp } from '../kit/raw-http.ts';
import { nobodysId } from '../kit/stack-objects.ts';

const t0 = 1_767_225_600_000;
let kit: ApiWithEngine;
let api: ApiKit;
let logs: string;
let traces: string;

const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'];
const texts = [...formulas, 'plain', 'a,b', 'say "hi"', 'two\nlines', 'größe 猫', '', ' =1'];

beforeAll(async () => {
  kit = await startApiWithEngine();
  ({ api } = kit);
  const { json } = await api.call('GET', '/sources');
  [logs, traces] = json.data.map(({ id }: JsonAnswer) => id);
  await kit.engine.insert(
    'otel_logs',
    Array.from({ length: 2500 }, (_, index) => ({
      Timestamp: new Date(t0 + index).toISOString().slice(0, -1).replace('T', ' '),
      ServiceName: index % 2 === 0 ? 'shop' : 'cart',
      SeverityNumber: index % 20,
      Body: texts[index % texts.length],
      LogAttributes: { place: String(index), '=key': 'v' },
    })),
  );
  await kit.engine.insert('otel_traces', [
    {
      Timestamp: '2026-01-01 00:00:01.000',
      TraceId: 'abc',
      SpanId: '1',
      Duration: '18446744073709551615',
    },
  ]);
});
afterAll(() => kit.stop());

const range = { startTime: t0, endTime: t0 + 3_600_000 };
const select = ['Timestamp', 'ServiceName', 'SeverityNumber', 'Body', 'LogAttributes'];
const exported = (body: object) =>
  api.call('POST', '/search/export', { body: { sourceId: logs, ...range, ...body } });

/** Every row of a search, page by page. */
async function found(body: object): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (let cursor: string | undefined; ;) {
    const { json } = await api.call('POST', '/search', {
      body: { sourceId: logs, ...range, ...body, limit: 999, ...(cursor && { cursor }) },
    });
    rows.push(...json.data.rows);
    cursor = json.data.cursor;
    if (cursor === undefined) {
      return rows.map(({ _id, ...row }) => row);
    }
  }
}

const ndjson = (text: string): unknown[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);

/** Cells of a CSV file, as RFC 4180 has them. */
function cellsOf(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g,
  )) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') {
      lines.push([]);
    }
  }
  return lines.slice(0, -1);
}

describe('POST /search/export', () => {
  it.each([
    {},
    { where: 'ServiceName:"shop" AND Body:*' },
    { filters: [{ type: 'field', field: 'ServiceName', op: 'is', values: ['cart'] }] },
    { orderBy: 'SeverityNumber DESC' },
    { where: "LogAttributes['place'] = '77'", whereLanguage: 'sql' },
    { select: ['Body', 'SeverityNumber + 1 AS next', 'Timestamp'] },
  ])('NDJSON has exactly the rows of a search: %j', async (body) => {
    const { status, headers, text } = await exported({ select, ...body, format: 'ndjson' });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const rows = await found({ select, ...body });
    expect(rows.length).toBeGreaterThan(0);
    expect(ndjson(text)).toEqual(rows);
  });

  it('NDJSON keeps integers of 64 bits', async () => {
    const body = { sourceId: traces, select: ['Duration'], format: 'ndjson' };
    expect((await exported(body)).text).toBe('{"Duration":"18446744073709551615"}\n');
  });

  it('CSV has the same values, and no cell that a spreadsheet runs as a formula', async () => {
    const { headers, text } = await exported({ select });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, ...lines] = cellsOf(text);
    expect(head).toEqual(select);
    const safe = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell);
    expect(lines).toEqual(
      (await found({ select })).map((row) =>
        select.map((name) =>
          safe(typeof row[name] === 'object' ? JSON.stringify(row[name]) : String(row[name])),
        ),
      ),
    );
    const cells = new Set(lines.flat());
    expect(formulas.every((formula) => cells.has(`'${formula}`) && !cells.has(formula))).toBe(true);
  });

  it('CSV keeps negative numbers, and guards names of columns', async () => {
    const body = { select: '0 - SeverityNumber AS `=n`', where: 'SeverityNumber:5' };
    const { text } = await exported(body);
    expect([...new Set(cellsOf(text).flat())]).toEqual(["'=n", '-5']);
  });

  it('without rows is a whole file: the head, or nothing', async () => {
    const none = { where: 'Body:nowhere', select };
    expect((await exported(none)).text).toBe(`${select.join(',')}\r\n`);
    const { status, text } = await exported({ ...none, format: 'ndjson' });
    expect([status, text]).toEqual([200, '']);
  });

  it('is a download with a plain name, and tells its limit and whether it was cut', async () => {
    await api.call('PUT', `/sources/${logs}`, {
      body: {
        ...(await api.call('GET', `/sources/${logs}`)).json.data,
        name: '../"Größe"\r\nof;x',
      },
    });
    const { headers } = await exported({ where: 'Body:plain', select });
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="Gro-e-of-x-20260101T000000Z.csv"',
    );
    expect(headers.get('x-sightline-row-limit')).toBe('1000000');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await trailersOf({ sourceId: logs, ...range })).toEqual({
      'x-sightline-truncated': 'false',
    });
  });

  it.each([
    ['format', { format: 'xlsx' }],
    ['limit', { limit: 5 }],
    ['where', { where: 'Nowhere:1' }],
    ['select', { select: 'sleep(1)' }],
    ['orderBy', { orderBy: 'Nowhere' }],
    ['endTime', { endTime: t0 }],
  ])('a wrong %s is a 400 that names it', async (path, body) => {
    const { status, headers, json } = await exported(body);
    expect([status, json.errors?.[0].path.split('.')[0]]).toEqual([400, path]);
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.get('content-disposition')).toBeNull();
  });

  it('a query that the engine refuses is a plain error', async () => {
    const { status, json } = await exported({ select: 'toInt32(Body)', format: 'ndjson' });
    expect([status, json.code]).toEqual([400, 'bad_request']);
    expect(JSON.stringify(json)).not.toContain('DB::Exception');
  });

  it('an unknown source, and another team’s, is the same 404', async () => {
    const stranger = await api.newCaller();
    const body = { sourceId: logs, ...range };
    const unknown = await exported({ sourceId: nobodysId });
    const foreign = await stranger.call('POST', '/search/export', { body });
    expect([unknown.status, foreign.status]).toEqual([404, 404]);
    expect(foreign.json.message).toBe(unknown.json.message);
  });

  it('an Idempotency-Key keeps nothing: each export is new', async () => {
    const call = { headers: { 'idempotency-key': 'same' } };
    const body = { sourceId: logs, ...range, where: 'Body:plain', select: 'Body' };
    const first = await api.call('POST', '/search/export', { ...call, body });
    const other = await api.call('POST', '/search/export', {
      ...call,
      body: { ...body, where: 'Body:nowhere' },
    });
    expect([first.status, other.status]).toEqual([200, 200]);
    expect(first.text.length).toBeGreaterThan(other.text.length);
    expect(other.headers.get('idempotency-replayed')).toBeNull();
  });

  it('is whole for a caller of HTTP/1.0, too', async () => {
    const body = JSON.stringify({ sourceId: logs, ...range, where: 'Body:plain', select: 'Body' });
    const answer = await rawHttp(
      api.port,
      [
        'POST /api/v2/search/export HTTP/1.0',
        `Authorization: Bearer ${api.accessKey}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer.split('\r\n\r\n')[1]?.split('\r\n').slice(0, 2)).toEqual(['Body', 'plain']);
    expect(answer).not.toMatch(/^trailer:/im);
  });
});

function trailersOf(body: object): Promise<NodeJS.Dict<string>> {
  return new Promise((resolve, reject) => {
    const call = request(`${api.url}/api/v2/search/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.accessKey}`, 'content-type': 'application/json' },
    });
    call.on('response', (response) => {
      response.resume().on('end', () => resolve(response.trailers));
    });
    call.on('error', reject);
    call.end(JSON.stringify(body));
  });
}

describe('explanations', () => {
  const explained = (path: string, body: object) => api.call('POST', path, { body });
  const seriesOf = (sourceId: string) => ({
    ...range,
    granularity: '1m',
    series: [{ sourceId, aggFn: 'count', where: 'Body:plain', groupBy: ['Body'] }],
  });

  it('of a search: the statement, what it reads, and the indexes', async () => {
    const { status, json } = await explained('/search/explain', {
      sourceId: logs,
      ...range,
      where: 'Body:plain',
    });
    expect(status).toBe(200);
    const [query, ...others] = json.data.queries;
    expect(others).toEqual([]);
    expect(query.sql).toMatch(/^SELECT .* FROM `telemetry`\.`otel_logs` WHERE .* LIMIT 101$/s);
    expect(query.reads).toEqual([
      { table: 'otel_logs', parts: 1, rows: 2500, marks: expect.any(Number) },
    ]);
    expect(query.indexes.map(({ type }: JsonAnswer) => type)).toContain('PrimaryKey');
    const rest = { ...range, startTime: t0 + 7_200_000, endTime: t0 + 7_300_000 };
    const nothing = await explained('/search/explain', { sourceId: logs, ...rest });
    expect(nothing.json.data.queries[0].reads).toEqual([
      { table: 'otel_logs', parts: 0, rows: 0, marks: 0 },
    ]);
  });

  it('of a search, newest first: the statement over the newest part comes before that over all', async () => {
    const { json } = await explained('/search/explain', { sourceId: logs, ...range });
    const [newest, whole, ...others] = json.data.queries;
    expect(others).toEqual([]);
    expect(newest.sql).toContain('toStartOfHour');
    expect(whole.sql).not.toContain('toStartOfHour');
  });

  it('of a chart: a statement for each scan, and for the ranking of its groups', async () => {
    const plain = await explained('/charts/explain', seriesOf(logs));
    const limited = await explained('/charts/explain', { ...seriesOf(logs), limit: 1 });
    expect([plain.status, limited.status]).toEqual([200, 200]);
    expect(plain.json.data.queries).toHaveLength(1);
    expect(limited.json.data.queries).toHaveLength(2);
    expect(plain.json.data.queries[0].reads[0]).toMatchObject({ table: 'otel_logs', rows: 2500 });
  });

  it('name no setting, no user and no password', async () => {
    const texts = await Promise.all([
      explained('/search/explain', { sourceId: logs, ...range }),
      explained('/charts/explain', seriesOf(logs)),
    ]);
    for (const { text } of texts) {
      expect(text).not.toMatch(/password|SETTINGS|max_memory|read_[0-9a-f]{8}|127\.0\.0\.1/i);
    }
  });

  it.each([
    ['/search/explain', (sourceId: string) => ({ sourceId, ...range })],
    ['/charts/explain', seriesOf],
  ])('%s: an unknown source, and another team’s, is the same 404', async (path, body) => {
    const stranger = await api.newCaller();
    const unknown = await explained(path, body(nobodysId));
    const foreign = await stranger.call('POST', path, { body: body(logs) });
    expect([unknown.status, foreign.status]).toEqual([404, 404]);
    expect(foreign.json.message).toBe(unknown.json.message);
  });
});
