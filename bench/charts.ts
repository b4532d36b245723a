import { parseArgs } from 'node:util';
import { openEmbedded } from '../src/adapters/telemetry/embedded/open-embedded.ts';
import { ChartRequest } from '../src/contract/query/chart.ts';
import { Source } from '../src/contract/source.ts';
import { bucketMs } from '../src/core/query/plan/bucket.ts';
import { fieldsOf } from '../src/core/query/fields/fields.ts';
import { createQuery, type Query } from '../src/core/query/index.ts';
import { planSeries, type SeriesRequest } from '../src/core/query/plan/plan-series.ts';
import { emitScan } from '../src/core/query/run/run-plan.ts';
import type { Telemetry } from '../src/ports/telemetry.ts';
import { trusted } from '../src/sql/sql.ts';
import { datasetStart, fillLogs } from './dataset.ts';
import { hundredTiles } from './batch-cases.ts';
import { chartCases, fiveMixed, fiveTyped, logSource } from './chart-cases.ts';
import { measureCpu } from './cpu-time.ts';

/**
 * The first rows of the performance table: emitted SQL against the best SQL by hand, five series in
 * one scan, the work before the query, and repeats. Both sides of a comparison run turn by turn in
 * the same process, and the best of each counts, so that the machine's other work meets both alike.
 * `npx tsx bench/charts.ts --dir <directory> [--rows 10000000] [--rounds 7]
 * [--part hand|five|planning|repeat|batch]`
 */
const database = 'sightline';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      dir: { type: 'string' },
      rows: { type: 'string', default: '10000000' },
      rounds: { type: 'string', default: '7' },
      part: { type: 'string' },
    },
  });
  if (values.dir === undefined) {
    throw new Error('--dir is missing: the directory the engine keeps its data in');
  }
  const telemetry = await openEmbedded({ path: values.dir });
  const rounds = Number(values.rounds);
  try {
    await telemetry.migrate(database);
    const source = Source.parse(logSource(database));
    const { rows } = await telemetry.query(
      trusted(`SELECT toFloat64(count()) FROM ${database}.otel_logs`),
      { purpose: 'admin', timeoutMs: 60_000 },
    );
    if (rows[0]![0] === 0) {
      await fillLogs(telemetry, database, Number(values.rows));
    }
    // The first query for a database restarts the engine, which would end a count of its CPU time.
    await run(telemetry, 'SELECT 1');
    const parts: Record<string, () => Promise<void>> = {
      hand: () => compareWithHand(telemetry, source, rounds),
      five: () => compareSeries(telemetry, source, rounds),
      planning: () => measurePlanning(telemetry, source),
      repeat: () => compareRepeat(telemetry, source),
      batch: () => compareBatch(telemetry, source, rounds),
    };
    for (const [name, part] of Object.entries(parts)) {
      if (values.part === undefined || values.part === name) {
        await part();
      }
    }
  } finally {
    await telemetry.close();
  }
}

/** Of the benchmark's one workspace. */
const workspaceDatabase = (): Promise<string> => Promise.resolve(database);

const uncached = (telemetry: Telemetry): Query =>
  createQuery({
    telemetry,
    workspaceDatabase,
    clock: { now: () => datasetStart + 40 * 86_400_000 },
    limits: { timeoutMs: 120_000 },
    cache: { maxBytes: 0 },
  });

function series(query: Query, source: Source, request: ChartRequest) {
  return query.series(request, () => Promise.resolve(source));
}

/** What the planner makes of a request, as the engine gets it. */
async function emitted(query: Query, source: Source, request: ChartRequest): Promise<string> {
  const range = { fromMs: request.startTime, toMs: request.endTime };
  const plan = await query.plan({
    series: request.series.map((one, index) => ({ ...one, source, path: `series.${index}` })),
    groupBy: request.series[0]!.groupBy,
    range,
    bucketMs: bucketMs(request.granularity, range),
    ratio: false,
  });
  return emitScan(plan.scans[0]!, range).text;
}

async function compareWithHand(
  telemetry: Telemetry,
  source: Source,
  rounds: number,
): Promise<void> {
  const query = uncached(telemetry);
  for (const { name, request, byHand } of chartCases) {
    const ours = await emitted(query, source, ChartRequest.parse(request));
    const [our, hand] = await turnByTurn(rounds, [
      () => run(telemetry, ours),
      () => run(telemetry, byHand),
    ]);
    console.log(
      `${name.padEnd(40)} ours ${ms(our!.ms)}  by hand ${ms(hand!.ms)}  ` +
        `ratio ${(our!.ms / hand!.ms).toFixed(2)}  ` +
        `CPU ${ms(our!.cpuMs)} ${ms(hand!.cpuMs)}  ratio ${(our!.cpuMs / hand!.cpuMs).toFixed(2)}`,
    );
  }
}

async function compareSeries(telemetry: Telemetry, source: Source, rounds: number): Promise<void> {
  const query = uncached(telemetry);
  for (const [name, request] of [
    ['typed', fiveTyped],
    ['mixed', fiveMixed],
  ] as const) {
    await compareOneWithFive(name, ChartRequest.parse(request), query, source, rounds);
  }
}

async function compareOneWithFive(
  name: string,
  together: ChartRequest,
  query: Query,
  source: Source,
  rounds: number,
): Promise<void> {
  const apart = together.series.map((one) => ({ ...together, series: [one] }));
  const [one, five] = await turnByTurn(rounds, [
    () => series(query, source, together),
    async () => {
      for (const request of apart) {
        await series(query, source, request);
      }
    },
  ]);
  console.log(
    `five ${name} series in one request ${ms(one!.ms)}, in five ${ms(five!.ms)}: ` +
      `${(five!.ms / one!.ms).toFixed(1)} times faster, ` +
      `${(five!.cpuMs / one!.cpuMs).toFixed(1)} times less CPU`,
  );
}

async function measurePlanning(telemetry: Telemetry, source: Source): Promise<void> {
  const fields = fieldsOf(await telemetry.columns(source.from.databaseName, source.from.tableName));
  const cpu = process.cpuUsage();
  const times = 2000;
  let count = 0;
  for (let time = 0; time < times; time++) {
    for (const { request } of [...chartCases, { request: fiveTyped }, { request: fiveMixed }]) {
      const parsed = ChartRequest.parse(request);
      const range = { fromMs: parsed.startTime, toMs: parsed.endTime };
      const seriesRequest: SeriesRequest = {
        tenant: database,
        series: parsed.series.map((one, index) => ({
          ...one,
          source,
          fields,
          path: `series.${index}`,
        })),
        groupBy: parsed.series[0]!.groupBy,
        range,
        bucketMs: bucketMs(parsed.granularity, range),
        ratio: false,
      };
      const plan = planSeries(seriesRequest);
      if ('issues' in plan) {
        throw new Error(JSON.stringify(plan.issues));
      }
      for (const scan of plan.scans) {
        emitScan(scan, range);
      }
      count += parsed.series.length;
    }
  }
  const { user, system } = process.cpuUsage(cpu);
  console.log(`validate, plan and render: ${((user + system) / count).toFixed(1)} µs CPU a series`);
}

async function compareRepeat(telemetry: Telemetry, source: Source): Promise<void> {
  for (const { name, request } of chartCases) {
    const query = createQuery({
      telemetry,
      workspaceDatabase,
      clock: { now: () => datasetStart + 40 * 86_400_000 },
      limits: { timeoutMs: 120_000 },
    });
    const parsed = ChartRequest.parse(request);
    const [first, answer] = await timed(() => series(query, source, parsed));
    let repeat = Infinity;
    let same = true;
    for (let time = 0; time < 20; time++) {
      const [took, again] = await timed(() => series(query, source, parsed));
      repeat = Math.min(repeat, took);
      same &&= JSON.stringify(again) === JSON.stringify(answer);
    }
    console.log(
      `repeat: ${name.padEnd(40)} first ${ms(first)}  again ${repeat.toFixed(2)} ms  ` +
        `${(first / repeat).toFixed(0)} times faster  ${same ? 'identical' : 'NOT IDENTICAL'}`,
    );
  }
}

/** A hundred tiles in one batch, beside as many requests, six at a time as a browser sends them. */
async function compareBatch(telemetry: Telemetry, source: Source, rounds: number): Promise<void> {
  let statements = 0;
  const counting = new Proxy(telemetry, {
    get(target, name) {
      if (name === 'query') {
        statements++;
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  const query = uncached(counting);
  const tiles = hundredTiles(source.id);
  const find = () => Promise.resolve(source);
  const single = async (tile: (typeof tiles)[number]): Promise<void> => {
    if (tile.type === 'series') {
      await query.series(tile.request, find);
    } else if (tile.type === 'totals') {
      await query.totals(tile.request, find);
    }
  };
  const [together, apart] = await turnByTurn(rounds, [
    () => query.batch(tiles, find),
    async () => {
      const next = tiles.values();
      const browser = async (): Promise<void> => {
        for (const tile of next) {
          await single(tile);
        }
      };
      await Promise.all(Array.from({ length: 6 }, browser));
    },
  ]);
  statements = 0;
  await query.batch(tiles, find);
  console.log(
    `100 tiles in one batch ${ms(together!.ms)}, CPU ${ms(together!.cpuMs)}, ${statements} scans; ` +
      `in 100 requests ${ms(apart!.ms)}, CPU ${ms(apart!.cpuMs)}: ` +
      `${(apart!.ms / together!.ms).toFixed(1)} times faster, ` +
      `${(apart!.cpuMs / together!.cpuMs).toFixed(1)} times less CPU`,
  );
}

const run = (telemetry: Telemetry, text: string) =>
  telemetry.query(trusted(text), { purpose: 'chart', tenant: database, timeoutMs: 120_000 });

/**
 * Best time and mean CPU of each side, the engine included. The engine's CPU is counted in steps
 * of 10 ms, so the mean says more than the least; other work disturbs it less than the time.
 */
async function turnByTurn(rounds: number, sides: (() => Promise<unknown>)[]): Promise<Cost[]> {
  const costs = sides.map((): Cost => ({ ms: Infinity, cpuMs: 0 }));
  const until = performance.now() + atLeastMs;
  let round = 0;
  for (; round < rounds || performance.now() < until; round++) {
    for (const [index, side] of sides.entries()) {
      const cpu = measureCpu();
      const [took] = await timed(side);
      costs[index]!.ms = Math.min(costs[index]!.ms, took);
      costs[index]!.cpuMs += cpu().total / 1000;
    }
  }
  return costs.map(({ ms, cpuMs }) => ({ ms, cpuMs: cpuMs / round }));
}

interface Cost {
  ms: number;
  cpuMs: number;
}

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const began = performance.now();
  const value = await work();
  return [performance.now() - began, value];
}

/** Short queries are repeated for so long, since others use the machine too. */
const atLeastMs = 2500;

const ms = (value: number): string => `${value.toFixed(1)} ms`.padStart(10);

await main();
