import { Fault } from '../../../contract/errors.ts';
import { TelemetryError } from '../../../ports/telemetry.ts';
import type { Window } from '../decide/schedule.ts';
import { questionOf, type CompiledQuestion, type ShapedQuestion } from './compiled-question.ts';
import { simpleScan, type Shape } from './shapes.ts';
import { SharedScan } from './shared-scan.ts';

interface Member {
  compiled: CompiledQuestion;
}

/**
 * The alerts that one query answers. `shaped`: alerts of one shape; `beside`: measures of one table
 * side by side; `alone`: one alert.
 */
export type Batch<M extends Member = Member> =
  | { kind: 'shaped'; sourceId: string; window: Window; members: readonly M[]; scan: SharedScan }
  | { kind: 'beside' | 'alone'; sourceId: string; window: Window; members: readonly M[] };

/** Maximum length of the keys in one query: well below the engine's limit of 256 KiB. */
const keyTextMax = 180_000;
const besideMax = 32;
/** Number of window lengths for which a shape keeps its scans. */
const windowLengthsMax = 16;

/**
 * Groups alerts of one window into few queries: first by shape, then side by side; the rest are
 * alone. Each batch is built when the caller takes it.
 */
export function* batches<M extends Member>(
  window: Window,
  all: readonly M[],
): Generator<Batch<M>, void, undefined> {
  const byShape = new Map<Shape, M[]>();
  const rest: M[] = [];
  let last: { shape: Shape; members: M[] } | undefined;
  for (const one of all) {
    const shape = one.compiled.shaped?.shape;
    if (shape === undefined) {
      rest.push(one);
    } else if (last?.shape === shape) {
      last.members.push(one);
    } else {
      last = { shape, members: put(byShape, shape, one) };
    }
  }
  for (const [shape, members] of byShape) {
    if (members.length === 1) {
      rest.push(...members);
      continue;
    }
    let start = 0;
    for (const scan of scansOf(shape, members, window.endMs - window.startMs)) {
      const part = members.slice(start, start + scan.members.length);
      start += part.length;
      yield {
        kind: 'shaped',
        sourceId: first(part).compiled.sourceId,
        window,
        scan,
        members: part,
      };
    }
  }
  yield* besideOrAlone(window, rest);
}

/** The first alert of a batch: no batch is empty. */
export function first<M>(members: readonly M[]): M {
  const [one] = members;
  if (one === undefined) {
    throw new RangeError('a batch has at least one alert');
  }
  return one;
}

/** Splits a batch in two, so that one bad expression does not fail the queries of all its alerts. */
export function halves<M extends Member>(batch: Batch<M>): Batch<M>[] {
  const middle = Math.ceil(batch.members.length / 2);
  return [batch.members.slice(0, middle), batch.members.slice(middle)].map((members): Batch<M> => {
    const { sourceId, window } = batch;
    if (members.length === 1) {
      return { kind: 'alone', sourceId, window, members };
    }
    return batch.kind === 'shaped'
      ? { kind: 'shaped', sourceId, window, members, scan: new SharedScan(members.map(shapedOf)) }
      : { kind: batch.kind, sourceId, window, members };
  });
}

/**
 * Whether a query for fewer alerts may succeed: one bad expression fails the query for all of them,
 * but an unavailable engine fails every query.
 */
export function splitMayHelp(error: unknown, kind: Batch['kind']): boolean {
  if (error instanceof TelemetryError) {
    if (error.kind === 'unavailable' || error.kind === 'aborted') {
      return false;
    }
    // A shaped scan takes as long for half of its alerts.
    return error.kind !== 'timeout' || kind === 'beside';
  }
  return !(error instanceof Fault) || error.code === 'bad_request';
}

function shapedOf({ compiled }: Member): ShapedQuestion {
  if (compiled.shaped === undefined) {
    throw new TypeError('a shared scan takes alerts that have a shape');
  }
  return compiled;
}

/** The scans of these alerts; the same ones as before for the same alerts in the same order. */
function* scansOf(
  shape: Shape,
  members: readonly Member[],
  windowLengthMs: number,
): Generator<SharedScan, void, undefined> {
  const scansByLength = knownScans.get(shape) ?? new Map<number, readonly SharedScan[]>();
  const known = scansByLength.get(windowLengthMs);
  if (known && sameMembers(known, members)) {
    return yield* known;
  }
  const scans: SharedScan[] = [];
  for (const part of parts(members)) {
    const scan = new SharedScan(part);
    scans.push(scan);
    yield scan;
  }
  if (scansByLength.size >= windowLengthsMax) {
    scansByLength.clear();
  }
  knownScans.set(shape, scansByLength.set(windowLengthMs, scans));
}

/** The last scans of each shape, by window length: most ticks evaluate the same alerts again. */
const knownScans = new WeakMap<Shape, Map<number, readonly SharedScan[]>>();

function sameMembers(scans: readonly SharedScan[], members: readonly Member[]): boolean {
  let index = 0;
  for (const scan of scans) {
    for (const compiled of scan.members) {
      if (members[index++]?.compiled !== compiled) {
        return false;
      }
    }
  }
  return index === members.length;
}

/**
 * Splits alerts so that the keys of each part fit into one query. A key value that several alerts
 * share counts once.
 */
function* parts(members: readonly Member[]): Generator<ShapedQuestion[], void, undefined> {
  let part: ShapedQuestion[] = [];
  let length = 0;
  let seen = new Set<string>();
  for (const member of members) {
    const question = shapedOf(member);
    const { values, word } = question.shaped;
    let size = 0;
    values.forEach((value, index) => {
      const key = `${index} ${value}`;
      if (!seen.has(key)) {
        size += value.length + 4;
      }
      seen.add(key);
    });
    if (word !== undefined && !seen.has(word)) {
      size += word.length * 2 + 8;
      seen.add(word);
    }
    if (length + size > keyTextMax && length > 0) {
      yield part;
      part = [];
      length = 0;
      seen = new Set();
    }
    part.push(question);
    length += size;
  }
  yield part;
}

function besideOrAlone<M extends Member>(window: Window, rest: readonly M[]): Batch<M>[] {
  const byTable = new Map<string, M[]>();
  const result: Batch<M>[] = [];
  for (const one of rest) {
    const shape = one.compiled.shaped?.shape;
    const question = shape ? undefined : questionOf(one.compiled);
    const scan = shape?.scan ?? (question && simpleScan(question));
    if (scan && scan.groups.length === 0) {
      const tenant = (shape ?? question)?.plan.tenant;
      put(byTable, JSON.stringify([tenant, scan.table, scan.time]), one);
    } else {
      result.push({ kind: 'alone', sourceId: one.compiled.sourceId, window, members: [one] });
    }
  }
  for (const members of byTable.values()) {
    for (let start = 0; start < members.length; start += besideMax) {
      const part = members.slice(start, start + besideMax);
      result.push({
        kind: part.length === 1 ? 'alone' : 'beside',
        sourceId: first(part).compiled.sourceId,
        window,
        members: part,
      });
    }
  }
  return result;
}

function put<K, T>(into: Map<K, T[]>, key: K, value: T): T[] {
  const list = into.get(key);
  if (list) {
    list.push(value);
    return list;
  }
  const added = [value];
  into.set(key, added);
  return added;
}
