import { loadavg } from 'node:os';
import type { QueryOptions, QueryResult, Telemetry } from '../src/ports/telemetry.ts';
import type { Sql } from '../src/sql/sql.ts';
import { startApi } from '../test/kit/api.ts';
import { openTestTelemetry } from '../test/kit/telemetry.ts';
import { datasetStart, fillLogs } from './dataset.ts';

/**
 * What a chart costs besides its query: the whole HTTP request of POST /api/v2/charts/series, as a client sees it, minus the time the engine's
 * answer took inside it. Every request asks something new, so that no result is kept. Target: at most 3 ms at the median.
 * `UV_THREADPOOL_SIZE=24 npx tsx bench/http.ts [requests]`
 */
const requests = Number(process.argv[2] ?? 400);

const engine = await openTestTelemetry({ database: 'telemetry' });
let engineMs = 0;
const timed = new Proxy(engine.telemetry, {
  get(target, name) {
    const member = Reflect.get(target, name) as unknown;
    if (typeof member !== 'function') return member;
    if (name !== 'query') return member.bind(target) as unknown;
    return async (statement: Sql, options: QueryOptions): Promise<QueryResult> => {
      const began = performance.now();
      try {
        return await target.query(statement, options);
      } finally {
        engineMs += performance.now() - began;
      }
    };
  },
}) as Telemetry;

await fillLogs(engine.telemetry, 'telemetry', 200_000);
const api = await startApi({ telemetry: timed });
try {
  const sources = (await api.call('GET', '/sources')).json as { data: { id: string; kind: string }[] };
  const sourceId = sources.data.find(({ kind }) => kind === 'log')!.id;
  const wholeMs: number[] = [];
  const besidesMs: number[] = [];
  for (let index = 0; index < requests + 50; index++) {
    const series = [{ sourceId, aggFn: 'count', where: `SeverityText:"ERROR" number${index}`, groupBy: ['ServiceName'] }, { sourceId, aggFn: 'count', where: `NOT number${index}`, groupBy: ['ServiceName'] }];
    engineMs = 0;
    const began = performance.now();
    const answer = await api.call('POST', '/charts/series', { body: { series, startTime: datasetStart, endTime: datasetStart + 3_600_000, granularity: '5m' } });
    const whole = performance.now() - began;
    if (answer.status !== 200) throw new Error(answer.text);
    if (index < 50) continue;
    wholeMs.push(whole);
    besidesMs.push(whole - engineMs);
  }
  const at = (values: number[], share: number): string => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!.toFixed(2);
  console.log(`load ${loadavg()[0]!.toFixed(1)}; ${requests} charts of two series, ms: whole request p50 ${at(wholeMs, 0.5)} p95 ${at(wholeMs, 0.95)}; without the query p50 ${at(besidesMs, 0.5)} p95 ${at(besidesMs, 0.95)} (target p50 ≤ 3)`);
} finally {
  await api.stop();
  await engine.close();
}
