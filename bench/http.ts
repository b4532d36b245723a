import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Client } from 'undici';
import type { QueryOptions, QueryResult, Telemetry } from '../src/ports/telemetry.ts';
import type { Sql } from '../src/sql/sql.ts';
import { startApi } from '../test/kit/api.ts';
import { openTestTelemetry } from '../test/kit/telemetry.ts';
import { datasetStart, fillLogs } from './dataset.ts';
import { measureCpu } from './cpu-time.ts';

/**
 * What a chart costs besides its query: the whole HTTP request of POST /api/v2/charts/series, as a
 * client in a process of its own sees it, minus the time the engine's answer took inside it. Every
 * request asks something new, so that no result is kept. Target: at most 3 ms at the median.
 * `npx tsx bench/http.ts [requests]`
 */
const requests = Number(process.argv[2] ?? 400);
const warmUp = 50;

/** What the client is told to do, and what it tells. */
interface Task {
  url: string;
  accessKey: string;
  sourceId: string;
  requests: number;
}
type Timing = { wholeMs: number };

if (process.send) {
  process.once('message', (task: Task) => void client(task));
} else {
  await server();
}

/** One request after the other on one connection, each reported when its answer has been read. */
async function client({ url, accessKey, sourceId, requests: count }: Task): Promise<void> {
  const pool = new Client(url);
  for (let index = 0; index < count; index++) {
    const series = [
      {
        sourceId,
        aggFn: 'count',
        where: `SeverityText:"ERROR" number${index}`,
        groupBy: ['ServiceName'],
      },
      { sourceId, aggFn: 'count', where: `NOT number${index}`, groupBy: ['ServiceName'] },
    ];
    const body = JSON.stringify({
      series,
      startTime: datasetStart,
      endTime: datasetStart + 3_600_000,
      granularity: '5m',
    });
    const began = performance.now();
    const answer = await pool.request({
      method: 'POST',
      path: '/api/v2/charts/series',
      headers: { authorization: `Bearer ${accessKey}`, 'content-type': 'application/json' },
      body,
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) {
      throw new Error(text);
    }
    // The next one starts when this one has been taken down, so that the server's figures belong to
    // one request.
    const noted = once(process, 'message');
    process.send!({ wholeMs: performance.now() - began } satisfies Timing);
    await noted;
  }
  await pool.close();
  process.disconnect();
}

async function server(): Promise<void> {
  const engine = await openTestTelemetry({ database: 'telemetry' });
  let engineMs = 0;
  const timed = new Proxy(engine.telemetry, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== 'function') {
        return member;
      }
      if (name !== 'query') {
        return member.bind(target) as unknown;
      }
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
    const sources = (await api.call('GET', '/sources')).json as {
      data: { id: string; kind: string }[];
    };
    const child = fork(fileURLToPath(import.meta.url), { execArgv: ['--import', 'tsx'] });
    const wholeMs: number[] = [];
    const besidesMs: number[] = [];
    const used = { own: 0, engine: 0 };
    let seen = 0;
    let cpu = measureCpu();
    child.on('message', ({ wholeMs: whole }: Timing) => {
      if (seen++ >= warmUp) {
        const { own, engine } = cpu();
        used.own += own;
        used.engine += engine;
        wholeMs.push(whole);
        besidesMs.push(whole - engineMs);
      }
      engineMs = 0;
      cpu = measureCpu();
      child.send({});
    });
    child.send({
      url: api.url,
      accessKey: api.accessKey,
      sourceId: sources.data.find(({ kind }) => kind === 'log')!.id,
      requests: requests + warmUp,
    } satisfies Task);
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) {
      throw new Error(`the client ended with ${code}`);
    }
    const quantile = (values: number[], share: number): string =>
      values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!.toFixed(2);
    const median = Number(quantile(besidesMs, 0.5));
    console.log(
      `load ${loadavg()[0]!.toFixed(1)}; ${requests} charts of two series, ms: ` +
        `whole request p50 ${quantile(wholeMs, 0.5)} p95 ${quantile(wholeMs, 0.95)}; ` +
        `without the query p50 ${median} p95 ${quantile(besidesMs, 0.95)}; ` +
        `CPU ${(used.own / 1000 / requests).toFixed(2)} a request and ` +
        `${(used.engine / 1000 / requests).toFixed(2)} in the engine; target p50 <= 3: ` +
        `${median <= 3 ? 'PASS' : 'MISS'}`,
    );
  } finally {
    await api.stop();
    await engine.close();
  }
}
