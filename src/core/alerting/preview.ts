import type { AlertPreview } from '../../contract/alert-preview.ts';
import type { Query } from '../query/index.ts';
import { advance } from './advance.ts';
import type { AlertDefinition } from './alert-definition.ts';
import type { Question } from './question.ts';
import { emptyAnswer, groupsMax, readingsOf, rowReading } from './readings.ts';
import type { Window } from './schedule.ts';
import type { AlertState, GroupState, Reading } from './step.ts';
import { Fault } from '../../contract/errors.ts';

export interface PreviewInput {
  definition: AlertDefinition;
  question: Question;
  /** How many of the last complete windows. */
  count: number;
  nowMs: number;
  ingestDelayMs: number;
  publicUrl: string;
}

/** Replays a definition over the past with one query: the windows are its buckets. */
export async function preview(
  input: PreviewInput,
  query: Query,
  signal?: AbortSignal,
): Promise<AlertPreview> {
  const { definition, question, count, nowMs, ingestDelayMs, publicUrl } = input;
  const { intervalMs } = definition;
  const endMs = Math.floor((nowMs - ingestDelayMs) / intervalMs) * intervalMs;
  const read = await readingsByWindow(
    question,
    { startMs: endMs - count * intervalMs, endMs },
    intervalMs,
    query,
    signal,
  );
  let groups: ReadonlyMap<string, GroupState> = new Map();
  let state: AlertState = 'inactive';
  const result: AlertPreview = { windows: [], notifications: [], state };
  for (let startMs = endMs - count * intervalMs; startMs < endMs; startMs += intervalMs) {
    const window = { startMs, endMs: startMs + intervalMs };
    const readings = read.get(startMs) ?? readingsOf(emptyAnswer(question.groupBy));
    const advanced = advance({
      definition,
      groupBy: question.groupBy,
      groupByBefore: question.groupBy,
      groups,
      readings,
      window,
      nowMs: window.endMs,
      publicUrl,
    });
    ({ groups, state } = advanced);
    const span = { windowStart: iso(window.startMs), windowEnd: iso(window.endMs) };
    result.windows.push({
      ...span,
      state,
      value: advanced.value,
      reason: advanced.reason,
      ...(question.groupBy !== '' && { groups: advanced.lines }),
    });
    for (const {
      event: { data },
    } of advanced.events) {
      result.notifications.push({
        windowEnd: span.windowEnd,
        state: data.state,
        reason: data.reason,
        group: data.groupValues,
        value: data.value,
        title: data.title,
      });
    }
  }
  return { ...result, state };
}

async function readingsByWindow(
  question: Question,
  { startMs, endMs }: Window,
  bucketMs: number,
  query: Query,
  signal: AbortSignal | undefined,
): Promise<Map<number, Map<string, Reading>>> {
  const plan = {
    ...question.plan,
    range: { fromMs: startMs, toMs: endMs },
    bucketMs,
    scans: question.plan.scans.map((scan) => ({ ...scan, bucketMs })),
  };
  const found = new Map<number, Map<string, Reading>>();
  for (const row of await query.run(plan, { purpose: 'chart', signal })) {
    const readings = found.get(row.bucketMs) ?? new Map<string, Reading>();
    found.set(row.bucketMs, readings);
    readings.set(JSON.stringify(row.group), rowReading(question, row.values));
    if (readings.size > groupsMax) {
      throw new Fault(
        'bad_request',
        `groupBy: makes more than ${groupsMax} groups in one window; narrow the condition or group by something with fewer values`,
      );
    }
  }
  return found;
}

const iso = (ms: number): string => new Date(ms).toISOString();
