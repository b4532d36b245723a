/**
 * What one tenant's heavy charts leave to another: p99 of a small chart, of `GET` of an alert and of
 * an OTLP-sized insert of the quiet tenant, alone and beside 8 loops of heavy charts, in turns, so
 * that what else the machine does falls on both. One process serves and measures.
 * `npx tsx bench/fairness.ts [seconds a turn] [turns]`
 */
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { identifier, sql } from '../src/sql/sql.ts';
import { startApi } from '../test/kit/api.ts';
import { newAlert, newSavedSearch } from '../test/kit/stack-objects.ts';
import { openTestTelemetry, testRows } from '../test/kit/telemetry.ts';

type Call = Awaited<ReturnType<typeof startApi>>['call'];

const secondsATurn = Number(process.argv[2] ?? 10);
const turns = Number(process.argv[3] ?? 3);
const heavyLoops = 8;
const hour = 3_600_000;
const nowMs = Math.floor(Date.now() / hour) * hour;

const engine = await openTestTelemetry({ database: 'noisy' });
const api = await startApi({ telemetry: engine.telemetry });
await engine.telemetry.migrate('default');
await engine.telemetry.migrate('another');
const quiet = await api.newCaller();
for (const [database, rows] of [
  ['default', 1_000_000],
  ['another', 200_000],
] as const) {
  await engine.command(sql`INSERT INTO ${identifier(database)}.otel_logs
    (Timestamp, ServiceName, SeverityText, Body)
    SELECT toDateTime(${nowMs / 1000 - 3600}) + number % 3600, concat('s', toString(number % 20)), 'INFO',
      concat('request ', toString(number), ' took ', toString(cityHash64(number)), ' ms ', repeat('x', 100))
    FROM numbers(${rows})`);
}

const chart = async (call: Call, where: string, shiftMs: number): Promise<number> => {
  const { json } = await call('GET', '/sources');
  const { status } = await call('POST', '/charts/series', {
    body: {
      series: [
        {
          sourceId: (json as { data: { id: string }[] }).data[0]!.id,
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
  return status;
};
const heavyWhere =
  "match(Body, '[a-f]+[0-9]{3}.*[xyz]{5}') OR replaceRegexpAll(Body, '[0-9]+', 'N') = 'x'";
const alert = (await newAlert(quiet, { savedSearchId: (await newSavedSearch(quiet)).id })).id;

let requests = 0;
const kinds: Record<string, () => Promise<number>> = {
  chart: () => chart(quiet.call, "Body != 'x'", ++requests),
  'GET alert': async () => (await quiet.call('GET', `/alerts/${String(alert)}`)).status,
  insert: async () => {
    await testRows(engine.telemetry, 'another').insert(
      'otel_logs',
      Array.from({ length: 100 }, (_, index) => ({
        Timestamp: '2026-01-01 00:00:00',
        Body: `${index}`,
      })),
    );
    return 200;
  },
};

const results: Record<string, Record<'quiet' | 'noisy', number[]>> = {};
let refused = 0;
let heavyCharts = 0;
for (let turn = 0; turn < turns; turn++) {
  await measure('quiet');
  const over = new AbortController();
  const loops = Array.from({ length: heavyLoops }, async (_, loop) => {
    while (!over.signal.aborted) {
      heavyCharts +=
        (await chart(api.call, heavyWhere, 1 + loop + 10 * ++requests)) === 200 ? 1 : 0;
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
console.log(`refused to the quiet tenant: ${refused}; heavy charts answered: ${heavyCharts}`);
console.log(
  `load average ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`,
);
await api.stop();
await engine.close();

async function measure(when: 'quiet' | 'noisy'): Promise<void> {
  const deadline = performance.now() + secondsATurn * 1000;
  await Promise.all(
    Object.entries(kinds).map(async ([kind, request]) => {
      const kept = (results[kind] ??= { quiet: [], noisy: [] })[when];
      while (performance.now() < deadline) {
        const startedAtMs = performance.now();
        refused += (await request()) < 400 ? 0 : 1;
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
