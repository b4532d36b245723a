/**
 * What one tenant's heavy charts leave to another: p99 of a small chart, of `GET` of an alert, of an
 * OTLP-sized insert and of the evaluation of 20 alerts of the quiet tenant, alone and beside 8 loops
 * of heavy charts, in turns, so that what else the machine does falls on both. An evaluation lasts
 * from the moment when its windows are due until the results are recorded; the program adds up to
 * SIGHTLINE_ALERT_TICK_MS, until it looks. One process serves and measures.
 * `npx tsx bench/fairness.ts [seconds a turn] [turns]`
 */
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { startAlertBench } from './alert-bench.ts';
import { identifier, sql } from '../src/sql/sql.ts';
import { startApi } from '../test/kit/api.ts';
import type { HttpAnswer } from '../test/kit/http.ts';
import { logSource, newAlert, newSavedSearch } from '../test/kit/stack-objects.ts';
import { openTestTelemetry, testRows } from '../test/kit/telemetry.ts';

type Call = Awaited<ReturnType<typeof startApi>>['call'];

const secondsATurn = Number(process.argv[2] ?? 10);
const turns = Number(process.argv[3] ?? 3);
const heavyLoops = 8;
const alertCount = 20;
/** Windows of a minute that the alerts have rows for: more than the turns take. */
const alertHours = 12;
const hour = 3_600_000;
const nowMs = Math.floor(Date.now() / hour) * hour;

const engine = await openTestTelemetry({ database: 'noisy' });
const api = await startApi({ telemetry: engine.telemetry });
await engine.telemetry.migrate('default');
await engine.telemetry.migrate('another');
const quiet = await api.newCaller();
const noisySource = await logSource(api);
const quietSource = await logSource(quiet);
for (const [source, rows, hours] of [
  [noisySource, 1_000_000, 1],
  [quietSource, 200_000, 1],
  [quietSource, 1_000_000, alertHours],
] as const) {
  const database = String(source.from.databaseName);
  await engine.command(sql`INSERT INTO ${identifier(database)}.otel_logs
    (Timestamp, ServiceName, SeverityText, Body)
    SELECT toDateTime(${nowMs / 1000}) - 1 - number % ${hours * 3600}, concat('s', toString(number % 20)), 'INFO',
      concat('request ', toString(number), ' took ', toString(cityHash64(number)), ' ms ', repeat('x', 100))
    FROM numbers(${rows})`);
}

const chart = (call: Call, sourceId: string, where: string, shiftMs: number): Promise<HttpAnswer> =>
  call('POST', '/charts/series', {
    body: {
      series: [
        {
          sourceId,
          aggFn: 'count',
          where,
          whereLanguage: 'sql',
          groupBy: ['ServiceName'],
        },
      ],
      // Every request is another one to the cache.
      startTime: nowMs - hour + shiftMs,
      endTime: nowMs,
      granularity: '5m',
    },
  });
const heavyWhere =
  "match(Body, '[a-f]+[0-9]{3}.*[xyz]{5}') OR replaceRegexpAll(Body, '[0-9]+', 'N') != 'x'";
const alert = (await newAlert(quiet, { savedSearchId: (await newSavedSearch(quiet)).id })).id;

let alertNowMs = nowMs - alertHours * hour;
const alerts = await startAlertBench({
  engine: { ...engine, database: String(quietSource.from.databaseName) },
  clock: { now: () => alertNowMs },
  // Each has a condition of its own, so that they share no scan.
  alerts: Array.from({ length: alertCount }, (_, index) => ({
    where: `Body:"request" AND NOT Body:"nothing ${index}"`,
  })),
});

let requests = 0;
const kinds: Record<string, () => Promise<HttpAnswer | undefined>> = {
  chart: () => chart(quiet.call, quietSource.id, "Body != 'x'", ++requests),
  'GET alert': () => quiet.call('GET', `/alerts/${String(alert)}`),
  insert: async () => {
    await testRows(engine.telemetry, 'another').insert(
      'otel_logs',
      Array.from({ length: 100 }, (_, index) => ({
        Timestamp: '2026-01-01 00:00:00',
        Body: `${index}`,
      })),
    );
    return undefined;
  },
  [`evaluation of ${alertCount} alerts`]: async () => {
    alertNowMs += 60_000;
    await alerts.alerting.tick();
    return undefined;
  },
};

const results: Record<string, Record<'quiet' | 'noisy', number[]>> = {};
const refused: string[] = [];
const heavyMs: number[] = [];
for (let turn = 0; turn < turns; turn++) {
  await measure('quiet');
  const over = new AbortController();
  const loops = Array.from({ length: heavyLoops }, async (_, loop) => {
    while (!over.signal.aborted) {
      const startedMs = performance.now();
      const shiftMs = 1 + loop + 10 * ++requests;
      const { status, json } = await chart(api.call, noisySource.id, heavyWhere, shiftMs);
      if (status === 200) {
        heavyMs.push(performance.now() - startedMs);
        if (json.data.length === 0) {
          throw new Error('the heavy chart found no rows');
        }
      }
    }
  });
  await pause(2_000);
  await measure('noisy');
  over.abort();
  await Promise.all(loops);
}
for (const [kind, { quiet: alone, noisy }] of Object.entries(results)) {
  const [a, b] = [percentile(alone, 0.99), percentile(noisy, 0.99)];
  console.log(
    `${kind}: p50 ${percentile(alone, 0.5)} → ${percentile(noisy, 0.5)} ms, ` +
      `p99 ${a} → ${b} ms, ${(b / a).toFixed(2)}× (${alone.length} and ${noisy.length} requests)`,
  );
}
console.log(
  `refused to the quiet tenant: ${refused.length}; heavy charts answered: ${heavyMs.length}, ` +
    `p50 ${percentile(heavyMs, 0.5)} ms`,
);
for (const answer of refused.slice(0, 10)) {
  console.log(`  ${answer}`);
}
console.log(
  `load average ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`,
);
await alerts.close();
await api.stop();
await engine.close();

async function measure(when: 'quiet' | 'noisy'): Promise<void> {
  const deadline = performance.now() + secondsATurn * 1000;
  await Promise.all(
    Object.entries(kinds).map(async ([kind, request]) => {
      const kept = (results[kind] ??= { quiet: [], noisy: [] })[when];
      while (performance.now() < deadline) {
        const startedAtMs = performance.now();
        const answer = await request();
        if (answer && answer.status >= 400) {
          refused.push(`${when}, ${kind}: ${answer.status} ${answer.text.slice(0, 200)}`);
        }
        kept.push(performance.now() - startedAtMs);
        await pause(50);
      }
    }),
  );
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
}
