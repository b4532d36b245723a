import { questionOf, type Asked, type ShapedAsked } from './asked.ts';
import type { Window } from './schedule.ts';
import { simpleScan, type Shape } from './shapes.ts';
import { SharedScan } from './shared-scan.ts';

interface Member {
  asked: Asked;
}

/** What one query answers. `shaped`: alerts of one shape; `beside`: readings of one table side by side; `alone`: one alert. */
export type Batch<M extends Member = Member> =
  | { kind: 'shaped'; sourceId: string; window: Window; members: readonly M[]; scan: SharedScan }
  | { kind: 'beside' | 'alone'; sourceId: string; window: Window; members: readonly M[] };

/** Text of keys in one query, well below the engine's limit for a query (256 KiB). */
const keyTextMax = 180_000;
const besideMax = 32;
/** Of how many lengths of window a shape remembers its scans. */
const lengthsMax = 16;

/** Few scans for many alerts of one window: first by shape, then side by side, what is left alone. Each is made when it is asked for. */
export function* batches<M extends Member>(
  window: Window,
  all: readonly M[],
): Generator<Batch<M>, void, undefined> {
  const byShape = new Map<Shape, M[]>();
  const rest: M[] = [];
  let last: { shape: Shape; members: M[] } | undefined;
  for (const one of all) {
    const shape = one.asked.shaped?.shape;
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
      rest.push(members[0]!);
      continue;
    }
    let at = 0;
    for (const scan of scansOf(shape, members, window.endMs - window.startMs)) {
      yield {
        kind: 'shaped',
        sourceId: members[at]!.asked.sourceId,
        window,
        scan,
        members: members.slice(at, (at += scan.members.length)),
      };
    }
  }
  yield* besideOrAlone(window, rest);
}

/** Half of a batch each: one bad expression must not cost the others their readings. */
export function halves<M extends Member>(batch: Batch<M>): Batch<M>[] {
  const middle = Math.ceil(batch.members.length / 2);
  return [batch.members.slice(0, middle), batch.members.slice(middle)].map((members): Batch<M> => {
    const { sourceId, window } = batch;
    if (members.length === 1) {
      return { kind: 'alone', sourceId, window, members };
    }
    return batch.kind === 'shaped'
      ? {
          kind: 'shaped',
          sourceId,
          window,
          members,
          scan: new SharedScan(members.map(({ asked }) => asked as ShapedAsked)),
        }
      : { kind: batch.kind, sourceId, window, members };
  });
}

/** Made once for the same alerts in the same order. */
function* scansOf(
  shape: Shape,
  members: readonly Member[],
  lengthMs: number,
): Generator<SharedScan, void, undefined> {
  const known = shape.scans.get(lengthMs);
  if (known && sameMembers(known, members)) {
    return yield* known;
  }
  const made: SharedScan[] = [];
  for (const part of parts(members)) {
    const scan = new SharedScan(part);
    made.push(scan);
    yield scan;
  }
  if (shape.scans.size >= lengthsMax) {
    shape.scans.clear();
  }
  shape.scans.set(lengthMs, made);
}

function sameMembers(scans: readonly SharedScan[], members: readonly Member[]): boolean {
  let at = 0;
  for (const scan of scans) {
    for (const asked of scan.members) {
      if (members[at++]?.asked !== asked) {
        return false;
      }
    }
  }
  return at === members.length;
}

/** So that the text of the keys stays within what a query may be long. A value that several alerts have stands there once. */
function* parts(members: readonly Member[]): Generator<ShapedAsked[], void, undefined> {
  let part: ShapedAsked[] = [];
  let length = 0;
  let seen = new Set<string>();
  for (const { asked } of members) {
    const member = asked as ShapedAsked;
    const { values, word } = member.shaped;
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
    part.push(member);
    length += size;
  }
  yield part;
}

function besideOrAlone<M extends Member>(window: Window, rest: readonly M[]): Batch<M>[] {
  const byTable = new Map<string, M[]>();
  const result: Batch<M>[] = [];
  for (const one of rest) {
    const scan = one.asked.shaped?.shape.scan ?? simpleScan(questionOf(one.asked));
    if (scan && scan.groups.length === 0) {
      put(byTable, JSON.stringify([scan.table, scan.time]), one);
    } else {
      result.push({ kind: 'alone', sourceId: one.asked.sourceId, window, members: [one] });
    }
  }
  for (const members of byTable.values()) {
    for (let at = 0; at < members.length; at += besideMax) {
      const part = members.slice(at, at + besideMax);
      result.push({
        kind: part.length === 1 ? 'alone' : 'beside',
        sourceId: part[0]!.asked.sourceId,
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
  const made = [value];
  into.set(key, made);
  return made;
}
