import type { Window } from './schedule.ts';
import type { Question } from './question.ts';
import { shapeOf, simpleScan, type Shape } from './shapes.ts';

/** A question with what is remembered of it. */
export interface Asked {
  alertId: string;
  question: Question;
  shape: Shape | undefined;
}

/** What one query answers. `shaped`: alerts of one shape; `beside`: readings of one table side by side; `alone`: one alert. */
export type Batch =
  | { kind: 'shaped'; sourceId: string; window: Window; members: (Asked & { shape: Shape })[] }
  | { kind: 'beside' | 'alone'; sourceId: string; window: Window; members: Asked[] };

/** Text of keys in one query, well below the engine's limit for a query (256 KiB). */
const keyTextMax = 180_000;
const besideMax = 32;

export function asked(alertId: string, question: Question): Asked {
  return { alertId, question, shape: shapeOf(question) };
}

/** Few scans for many alerts of one window: first by shape, then side by side, what is left alone. */
export function batches(window: Window, all: readonly Asked[]): Batch[] {
  const byShape = new Map<string, (Asked & { shape: Shape })[]>();
  const rest: Asked[] = [];
  for (const one of all) {
    if (one.shape === undefined) rest.push(one);
    else put(byShape, one.shape.key, one as Asked & { shape: Shape });
  }
  const result: Batch[] = [];
  for (const members of byShape.values()) {
    if (members.length === 1) rest.push(members[0]!);
    else for (const part of cut(members)) result.push({ kind: 'shaped', sourceId: part[0]!.question.sourceId, window, members: part });
  }
  return [...result, ...besideOrAlone(window, rest)];
}

/** So that the text of the keys stays within what a query may be long. A value that several alerts have stands there once. */
function cut(members: (Asked & { shape: Shape })[]): (Asked & { shape: Shape })[][] {
  const parts: (Asked & { shape: Shape })[][] = [[]];
  let length = 0;
  let seen = new Set<string>();
  for (const member of members) {
    const { values, word } = member.shape;
    let size = 0;
    values.forEach((value, index) => {
      const key = `${index} ${value}`;
      if (!seen.has(key)) size += value.length + 4;
      seen.add(key);
    });
    if (word !== undefined && !seen.has(word)) {
      size += word.length * 2 + 8;
      seen.add(word);
    }
    if (length + size > keyTextMax && length > 0) {
      parts.push([]);
      length = 0;
      seen = new Set();
    }
    parts.at(-1)!.push(member);
    length += size;
  }
  return parts;
}

function besideOrAlone(window: Window, rest: readonly Asked[]): Batch[] {
  const byTable = new Map<string, Asked[]>();
  const result: Batch[] = [];
  for (const one of rest) {
    const scan = simpleScan(one.question);
    if (scan && scan.groups.length === 0) put(byTable, JSON.stringify([scan.table, scan.time]), one);
    else result.push({ kind: 'alone', sourceId: one.question.sourceId, window, members: [one] });
  }
  for (const members of byTable.values()) {
    for (let at = 0; at < members.length; at += besideMax) {
      const part = members.slice(at, at + besideMax);
      result.push({ kind: part.length === 1 ? 'alone' : 'beside', sourceId: part[0]!.question.sourceId, window, members: part });
    }
  }
  return result;
}

function put<T>(into: Map<string, T[]>, key: string, value: T): void {
  const list = into.get(key);
  if (list) list.push(value);
  else into.set(key, [value]);
}
