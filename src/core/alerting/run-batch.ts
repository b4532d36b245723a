import type { QueryResult, Telemetry, Value } from '../../ports/telemetry.ts';
import { identifier, join, literal, qualified, sql, type Sql } from '../../sql/sql.ts';
import { emitKeys, emitRows } from '../query/emit/emit-rows.ts';
import { emitCondition, emitExpression, emitRange, joined, type Condition, type Operand, type Query, type Scan } from '../query/index.ts';
import type { Asked, Batch } from './batches.ts';
import type { Question } from './question.ts';
import { groupsMax, noReading, readingOf, rowReading, type Answer } from './readings.ts';
import type { Window } from './schedule.ts';
import { simpleScan, type Shape } from './shapes.ts';

export interface BatchRunner {
  telemetry: Telemetry;
  query: Query;
  limits: { timeoutMs: number; maxMemoryBytes?: number };
}

/** Answers by alert id. @throws TelemetryError or Fault for the batch as a whole. */
export async function runBatch(batch: Batch, runner: BatchRunner, signal?: AbortSignal): Promise<Map<string, Answer>> {
  const startedMs = performance.now();
  const answers = batch.kind === 'shaped' ? await runShaped(batch.members, batch.window, runner, signal)
    : batch.kind === 'beside' ? await runBeside(batch.members, batch.window, runner, signal)
      : await runAlone(batch.members[0]!, batch.window, runner, signal);
  const durationMs = performance.now() - startedMs;
  for (const answer of answers.values()) answer.durationMs = durationMs;
  return answers;
}

const range = ({ startMs, endMs }: Window) => ({ fromMs: startMs, toMs: endMs });

function ask({ telemetry, limits }: BatchRunner, statement: Sql, signal: AbortSignal | undefined): Promise<QueryResult> {
  return telemetry.query(statement, { ...limits, purpose: 'alert', signal });
}

function answer(rowsRead: number, readings: Answer['readings'] = new Map()): Answer {
  return { readings, tooManyGroups: false, rowsRead, durationMs: 0 };
}

/** Rows of one scan for many alerts; with more, fewer alerts are asked at once. */
const rowsMax = 100_000;

/** The one group of an alert without groups. */
const ungrouped = '[]';

function emptyAnswer({ question }: Asked, rowsRead: number): Answer {
  return answer(rowsRead, question.groupBy === '' ? new Map([[ungrouped, noReading]]) : new Map());
}

async function runShaped(members: (Asked & { shape: Shape })[], window: Window, runner: BatchRunner, signal: AbortSignal | undefined): Promise<Map<string, Answer>> {
  const { shape } = members[0]!;
  const keyed = joined('and', [shape.residual, ...shape.operands.map((operand, index) => oneOf(operand, members.map((member) => member.shape.values[index]!)))]);
  const limit = Math.min(members.length * groupsMax, rowsMax);
  const statement = shape.wordOperand
    ? emitWords(shape, shape.wordOperand, members.map((member) => member.shape.word!), keyed, window, limit)
    : emitRows({ ...shape.scan, groups: [...shape.operands, ...shape.scan.groups], readings: withRows([{ ...shape.reading, condition: keyed }]) }, range(window), limit);
  const result = await ask(runner, statement, signal);
  if (result.rows.length > limit) throw new RangeError('too many groups for one scan');
  return lookedUp(members, result, shape.operands.length + (shape.wordOperand ? 1 : 0), shape.scan.groups.length);
}

/** The rows of a shared scan, dealt out to the alerts that asked. */
function lookedUp(members: (Asked & { shape: Shape })[], { rows, rowsRead }: QueryResult, keyCount: number, groupCount: number): Map<string, Answer> {
  const byKey = new Map<string, Value[][]>();
  for (const row of rows) {
    const key = JSON.stringify(row.slice(0, keyCount));
    const found = byKey.get(key);
    if (found) found.push(row);
    else byKey.set(key, [row]);
  }
  const share = Math.round(rowsRead / members.length);
  return new Map(members.map((member) => {
    const { word, values } = member.shape;
    const found = byKey.get(JSON.stringify(word === undefined ? values : [...values, word])) ?? [];
    const result = emptyAnswer(member, share);
    if (found.length > groupsMax) return [member.alertId, { ...answer(share), tooManyGroups: true }];
    for (const row of found) {
      const group = JSON.stringify(row.slice(keyCount, keyCount + groupCount));
      result.readings.set(group, valueReading(member.question, row.slice(keyCount + groupCount)));
    }
    return [member.alertId, result];
  }));
}

/** `values` are the value and, unless it counts, the number of rows. */
function valueReading({ counts }: Question, [value, rows]: Value[]): ReturnType<typeof readingOf> {
  if (counts[0] === true) return typeof value === 'number' && value > 0 ? { kind: 'value', value } : noReading;
  return readingOf(typeof value === 'number' ? value : null, typeof rows === 'number' && rows > 0);
}

/** A count of rows beside every value that is not one itself: NULL over rows is not the same as no rows. */
function withRows(readings: Scan['readings']): Scan['readings'] {
  return readings.flatMap((reading) => (isCount(reading) ? [reading] : [reading, { ...reading, aggregate: { fn: 'count' as const, operand: undefined, level: 0 } }]));
}

const isCount = ({ aggregate }: Scan['readings'][number]): boolean => aggregate.fn === 'count' || aggregate.fn === 'count_distinct';

function oneOf({ expression, type }: Operand, values: string[]): Condition {
  const list = [...new Set(values)].map((value) => (type.base === 'number' ? { kind: 'number' as const, text: value } : { kind: 'string' as const, value }));
  return { kind: 'expression', expression: { kind: 'in', negated: false, of: expression, list } };
}

const wordColumn = identifier('__word');

/**
 * Counts rows by the words they hold, for any number of words in one pass: the text is cut into the engine's own tokens once, and each is looked
 * up in a set. The engine's own search for any of these tokens goes first, because most rows hold none.
 */
function emitWords(shape: Shape, operand: Operand, words: string[], condition: Condition, window: Window, limit: number): Sql {
  const { scan } = shape;
  const text = sql`lower(${emitExpression(operand.expression)})`;
  const list = join([...new Set(words)].map((word) => literal(word)), ', ');
  const { select } = emitKeys({ ...scan, groups: [...shape.operands, ...scan.groups] }, range(window));
  const keys = select.map((_, index) => identifier(`__group_${index}`));
  const [before, after] = [keys.slice(0, shape.operands.length), keys.slice(shape.operands.length)];
  const found = sql`arrayJoin(arrayFilter(word -> word IN (${list}), arrayDistinct(tokens(${text})))) AS ${wordColumn}`;
  const rows = sql`SELECT ${join([...select, found], ', ')} FROM ${qualified(scan.table.database, scan.table.name)} WHERE ${emitRange(scan.time, range(window))} AND ${emitCondition(condition)} AND hasAnyTokens(${text}, [${list}])`;
  const columns = join([...before, wordColumn, ...after], ', ');
  return sql`SELECT ${columns}, toFloat64(count()) FROM (${rows}) GROUP BY ${columns} LIMIT ${limit + 1}`;
}

async function runBeside(members: Asked[], window: Window, runner: BatchRunner, signal: AbortSignal | undefined): Promise<Map<string, Answer>> {
  const scans = members.map(({ question }) => simpleScan(question)!);
  const readings = scans.map((scan) => withRows(scan.readings));
  const result = await ask(runner, emitRows({ ...scans[0]!, readings: readings.flat() }, range(window), 1), signal);
  const values = result.rows[0] ?? [];
  const share = Math.round(result.rowsRead / members.length);
  let at = 0;
  return new Map(members.map((member, index) => {
    const own = values.slice(at, at += readings[index]!.length);
    return [member.alertId, answer(share, new Map([[ungrouped, valueReading(member.question, own)]]))];
  }));
}

async function runAlone(one: Asked, window: Window, runner: BatchRunner, signal: AbortSignal | undefined): Promise<Map<string, Answer>> {
  const { question, alertId } = one;
  const scan = simpleScan(question);
  if (scan) {
    const result = await ask(runner, emitRows({ ...scan, readings: withRows(scan.readings) }, range(window), groupsMax), signal);
    if (result.rows.length > groupsMax) return new Map([[alertId, { ...answer(result.rowsRead), tooManyGroups: true }]]);
    const found = emptyAnswer(one, result.rowsRead);
    for (const row of result.rows) found.readings.set(JSON.stringify(row.slice(0, scan.groups.length)), valueReading(question, row.slice(scan.groups.length)));
    return new Map([[alertId, found]]);
  }
  const rows = await runner.query.run({ ...question.plan, range: range(window) }, { purpose: 'alert', signal });
  if (rows.length > groupsMax) return new Map([[alertId, { ...answer(0), tooManyGroups: true }]]);
  const found = emptyAnswer(one, 0);
  for (const { group, values } of rows) found.readings.set(JSON.stringify(group), rowReading(question, values));
  return new Map([[alertId, found]]);
}
