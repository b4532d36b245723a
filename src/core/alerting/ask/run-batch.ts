import type { QueryResult, Telemetry } from '../../../ports/telemetry.ts';
import type { Sql } from '../../../sql/sql.ts';
import {
  emptyAnswer,
  groupsMax,
  tooManyGroups,
  type Answer,
  type Groups,
  type Reading,
} from '../decide/readings.ts';
import type { Window } from '../decide/schedule.ts';
import { emitRows } from '../../query/emit/emit-rows.ts';
import type { Query } from '../../query/index.ts';
import { first, type Batch } from './batches.ts';
import { questionOf, type CompiledQuestion } from './compiled-question.ts';
import type { Question } from './question.ts';
import { countedMeasures, rowReading, valueReading, withRowCounts } from './row-readings.ts';
import { simpleScan, type SimpleScan } from './shapes.ts';
import type { SharedScan } from './shared-scan.ts';

export interface BatchRunner {
  telemetry: Telemetry;
  query: Query;
  limits: { timeoutMs: number; maxMemoryBytes?: number };
}

/** The result of one query, in the order of the batch's alerts. */
export interface BatchAnswers {
  answers: readonly Answer[];
  /** Rows that the engine read, divided by the number of alerts. */
  rowsRead: number;
  durationMs: number;
}

/**
 * Runs the query of a batch.
 *
 * @throws TelemetryError or Fault for the batch as a whole.
 */
export async function runBatch(
  batch: Batch,
  runner: BatchRunner,
  signal?: AbortSignal,
): Promise<BatchAnswers> {
  const startedMs = performance.now();
  const { answers, rowsRead } = await runKind(batch, runner, signal);
  return {
    answers,
    rowsRead: Math.round(rowsRead / batch.members.length),
    durationMs: performance.now() - startedMs,
  };
}

type QueryAnswers = Pick<BatchAnswers, 'answers' | 'rowsRead'>;

function runKind(
  batch: Batch,
  runner: BatchRunner,
  signal: AbortSignal | undefined,
): Promise<QueryAnswers> {
  const { members, window } = batch;
  switch (batch.kind) {
    case 'shaped':
      return runShaped(batch.scan, window, runner, signal);
    case 'beside':
      return runBeside(
        members.map(({ compiled }) => compiled),
        window,
        runner,
        signal,
      );
    case 'alone':
      return runAlone(first(members).compiled, window, runner, signal);
  }
}

const range = ({ startMs, endMs }: Window) => ({ fromMs: startMs, toMs: endMs });

function runStatement(
  { telemetry, limits }: BatchRunner,
  statement: Sql,
  tenant: string,
  signal: AbortSignal | undefined,
): Promise<QueryResult> {
  return telemetry.query(statement, { ...limits, purpose: 'alert', tenant, signal });
}

async function runShaped(
  scan: SharedScan,
  window: Window,
  runner: BatchRunner,
  signal: AbortSignal | undefined,
): Promise<QueryAnswers> {
  const [{ rows, rowsRead }] = await Promise.all([
    runStatement(runner, scan.statement(window), scan.tenant, signal),
    scan.prepare(),
  ]);
  return { answers: scan.answers(rows), rowsRead };
}

async function runBeside(
  members: readonly CompiledQuestion[],
  window: Window,
  runner: BatchRunner,
  signal: AbortSignal | undefined,
): Promise<QueryAnswers> {
  const parts = members.map((member) => {
    const question = questionOf(member);
    const scan = requiredScan(question);
    const measures = countedMeasures(scan.kind, scan.measures, 1);
    return { tenant: question.plan.tenant, scan, measures };
  });
  const measures = parts.flatMap((part) => part.measures);
  const { rows, rowsRead } = await runStatement(
    runner,
    emitRows({ ...first(parts).scan, measures }, range(window), 1),
    first(parts).tenant,
    signal,
  );
  const values = rows[0] ?? [];
  let column = 0;
  const answers = parts.map((part): Answer => {
    const reading = valueReading(part.scan.measures[0], values, column);
    column += part.measures.length;
    return reading;
  });
  return { answers, rowsRead };
}

function requiredScan(question: Question): SimpleScan {
  const scan = simpleScan(question);
  if (!scan) {
    throw new TypeError('alerts run side by side need plans with one scan and one measure');
  }
  return scan;
}

async function runAlone(
  compiled: CompiledQuestion,
  window: Window,
  runner: BatchRunner,
  signal: AbortSignal | undefined,
): Promise<QueryAnswers> {
  const question = questionOf(compiled);
  const scan = simpleScan(question);
  if (!scan) {
    const rows = await runner.query.run(
      { ...withRowCounts(question.plan), range: range(window) },
      { purpose: 'alert', signal },
    );
    const readings = rows.map(({ group, values }): GroupReading => [
      group,
      rowReading(question, values),
    ]);
    return { answers: [answerOf(compiled, readings)], rowsRead: 0 };
  }
  const { rows, rowsRead } = await runStatement(
    runner,
    emitRows(
      { ...scan, measures: countedMeasures(scan.kind, scan.measures, 1) },
      range(window),
      groupsMax,
    ),
    question.plan.tenant,
    signal,
  );
  const groupCount = scan.groups.length;
  const readings = rows.map((row): GroupReading => [
    row.slice(0, groupCount) as string[],
    valueReading(scan.measures[0], row, groupCount),
  ]);
  return { answers: [answerOf(compiled, readings)], rowsRead };
}

type GroupReading = readonly [group: readonly string[], reading: Reading];

function answerOf({ groupBy }: CompiledQuestion, rows: readonly GroupReading[]): Answer {
  if (rows.length > groupsMax) {
    return tooManyGroups;
  }
  if (groupBy === '') {
    return rows[0]?.[1] ?? emptyAnswer(groupBy);
  }
  const groups: Groups = { kind: 'groups', readings: new Map() };
  for (const [group, reading] of rows) {
    groups.readings.set(JSON.stringify(group), reading);
  }
  return groups;
}
