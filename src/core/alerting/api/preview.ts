import type { AlertPreview } from '../../../contract/alert/alert-preview.ts';
import type { Query } from '../../query/index.ts';
import { advance } from '../decide/advance.ts';
import type { AlertDefinition } from '../alert-definition.ts';
import type { Question } from '../ask/question.ts';
import { rowReading, withRowCounts } from '../ask/row-readings.ts';
import {
  emptyAnswer,
  groupsMax,
  readingsOf,
  tooManyGroupsMessage,
  type Reading,
} from '../decide/readings.ts';
import type { Window } from '../decide/schedule.ts';
import type { AlertState } from '../../../contract/alert/alert.ts';
import type { GroupState } from '../decide/step.ts';
import { Fault } from '../../../contract/errors.ts';

export interface PreviewInput {
  definition: AlertDefinition;
  question: Question;
  /** Number of complete windows to replay. */
  count: number;
  nowMs: number;
  ingestDelayMs: number;
  publicUrl: string;
}

/** Replays a definition over past windows. One query reads all of them as its buckets. */
export async function preview(
  input: PreviewInput,
  query: Query,
  signal?: AbortSignal,
): Promise<AlertPreview> {
  const { definition, question, count, nowMs, ingestDelayMs, publicUrl } = input;
  const { intervalMs } = definition;
  const endMs = Math.floor((nowMs - ingestDelayMs) / intervalMs) * intervalMs;
  const readingsByStart = await readReadings(
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
    const readings = readingsByStart.get(startMs) ?? readingsOf(emptyAnswer(question.groupBy));
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

/** Readings by window start. */
async function readReadings(
  question: Question,
  { startMs, endMs }: Window,
  bucketMs: number,
  query: Query,
  signal: AbortSignal | undefined,
): Promise<Map<number, Map<string, Reading>>> {
  const counted = withRowCounts(question.plan);
  const plan = {
    ...counted,
    range: { fromMs: startMs, toMs: endMs },
    bucketMs,
    scans: counted.scans.map((scan) => ({ ...scan, bucketMs })),
  };
  const byStart = new Map<number, Map<string, Reading>>();
  for (const row of await query.run(plan, { purpose: 'chart', signal })) {
    const readings = byStart.get(row.bucketMs) ?? new Map<string, Reading>();
    byStart.set(row.bucketMs, readings);
    readings.set(JSON.stringify(row.group), rowReading(question, row.values));
    if (readings.size > groupsMax) {
      throw new Fault('bad_request', tooManyGroupsMessage);
    }
  }
  return byStart;
}

const iso = (ms: number): string => new Date(ms).toISOString();
