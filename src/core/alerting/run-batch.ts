import type { QueryResult, Telemetry } from '../../ports/telemetry.ts';
import type { Sql } from '../../sql/sql.ts';
import { emitRows } from '../query/emit/emit-rows.ts';
import type { Query } from '../query/index.ts';
import { questionOf, type Asked } from './asked.ts';
import type { Batch } from './batches.ts';
import {
  emptyAnswer,
  groupsMax,
  rowReading,
  tooManyGroups,
  type Answer,
  type Answers,
  type Groups,
} from './readings.ts';
import { valueReading, withRows } from './row-readings.ts';
import type { Window } from './schedule.ts';
import { simpleScan } from './shapes.ts';
import type { SharedScan } from './shared-scan.ts';
import type { Reading } from './step.ts';

export interface BatchRunner {
  telemetry: Telemetry;
  query: Query;
  limits: { timeoutMs: number; maxMemoryBytes?: number };
}

/** Answers in the order of the batch's members. @throws TelemetryError or Fault for the batch as a whole. */
export async function runBatch(
  batch: Batch,
  runner: BatchRunner,
  signal?: AbortSignal,
): Promise<Answers> {
  const startedMs = performance.now();
  const { of, rowsRead } =
    batch.kind === 'shaped'
      ? await runShaped(batch.scan, batch.window, runner, signal)
      : batch.kind === 'beside'
        ? await runBeside(
            batch.members.map(({ asked }) => asked),
            batch.window,
            runner,
            signal,
          )
        : await runAlone(batch.members[0]!.asked, batch.window, runner, signal);
  return {
    of,
    rowsRead: Math.round(rowsRead / batch.members.length),
    durationMs: performance.now() - startedMs,
  };
}

type Found = Pick<Answers, 'of' | 'rowsRead'>;

const range = ({ startMs, endMs }: Window) => ({ fromMs: startMs, toMs: endMs });

function ask(
  { telemetry, limits }: BatchRunner,
  statement: Sql,
  signal: AbortSignal | undefined,
): Promise<QueryResult> {
  return telemetry.query(statement, { ...limits, purpose: 'alert', signal });
}

async function runShaped(
  scan: SharedScan,
  window: Window,
  runner: BatchRunner,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const { rows, rowsRead } = await ask(runner, scan.statement(window), signal);
  return { of: scan.answers(rows), rowsRead };
}

async function runBeside(
  members: readonly Asked[],
  window: Window,
  runner: BatchRunner,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const questions = members.map(questionOf);
  const scans = questions.map((question) => simpleScan(question)!);
  const readings = scans.map((scan) => withRows(scan.readings));
  const { rows, rowsRead } = await ask(
    runner,
    emitRows({ ...scans[0]!, readings: readings.flat() }, range(window), 1),
    signal,
  );
  const values = rows[0] ?? [];
  let at = 0;
  const of = questions.map(({ counts }, index): Answer => {
    const reading = valueReading(counts[0] === true, values, at);
    at += readings[index]!.length;
    return reading;
  });
  return { of, rowsRead };
}

async function runAlone(
  one: Asked,
  window: Window,
  runner: BatchRunner,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const question = questionOf(one);
  const scan = simpleScan(question);
  if (scan) {
    const { rows, rowsRead } = await ask(
      runner,
      emitRows({ ...scan, readings: withRows(scan.readings) }, range(window), groupsMax),
      signal,
    );
    const groups = scan.groups.length;
    return {
      of: [
        collected(
          one,
          rows.map((row) => [
            row.slice(0, groups) as string[],
            valueReading(question.counts[0] === true, row, groups),
          ]),
        ),
      ],
      rowsRead,
    };
  }
  const rows = await runner.query.run(
    { ...question.plan, range: range(window) },
    { purpose: 'alert', signal },
  );
  return {
    of: [
      collected(
        one,
        rows.map(({ group, values }) => [group, rowReading(question, values)]),
      ),
    ],
    rowsRead: 0,
  };
}

function collected(
  { groupBy }: Asked,
  rows: readonly (readonly [group: readonly string[], reading: Reading])[],
): Answer {
  if (rows.length > groupsMax) {
    return tooManyGroups;
  }
  if (groupBy === '') {
    return rows[0]?.[1] ?? emptyAnswer(groupBy);
  }
  const found: Groups = { kind: 'groups', readings: new Map() };
  for (const [group, reading] of rows) {
    found.readings.set(JSON.stringify(group), reading);
  }
  return found;
}
