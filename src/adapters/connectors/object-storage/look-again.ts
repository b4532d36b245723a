import { setMaxListeners } from 'node:events';
import { byBytes, commonStart } from './near-names.ts';
import type { ObjectSource } from './object-source.ts';

const looksAtOnce = 16;
/** A page of a listing costs the service and us about as much as so many single looks. */
const looksOfPage = 20;

/**
 * ETags of these objects as they are now, without those that are gone. Neighbours are asked for by listing the range of names they are in; when that
 * range turns out to hold mostly others, and for whatever the listing did not show, each is looked at by itself.
 */
export async function lookAgain(
  source: Pick<ObjectSource, 'list' | 'look'>,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const left = new Set(names);
  if (names.length >= looksOfPage) {
    await lookByListing(source, left, found, signal);
  }
  await lookOneByOne(source, left, found, signal);
  return found;
}

async function lookByListing(
  source: Pick<ObjectSource, 'list'>,
  left: Set<string>,
  found: Map<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const inOrder = [...left].sort(byBytes);
  const [first, last] = [inOrder[0]!, inOrder.at(-1)!];
  let pagesLeft = Math.ceil(left.size / looksOfPage);
  // A listing begins after a name: the first itself is looked at alone.
  for await (const page of source.list(commonStart(first, last), signal, first)) {
    for (const { name, etag } of page) {
      if (left.delete(name)) {
        found.set(name, etag);
      }
    }
    const end = page.at(-1);
    if (--pagesLeft <= 0 || left.size <= 1 || (end !== undefined && byBytes(end.name, last) >= 0)) {
      return;
    }
  }
}

async function lookOneByOne(
  source: Pick<ObjectSource, 'look'>,
  left: ReadonlySet<string>,
  found: Map<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const looking = AbortSignal.any([signal]);
  // Every look listens.
  setMaxListeners(0, looking);
  const queue = [...left];
  await Promise.all(
    Array.from({ length: Math.min(looksAtOnce, queue.length) }, async () => {
      for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
        const now = await source.look(name, looking);
        if (now !== undefined) {
          found.set(name, now.etag);
        }
      }
    }),
  );
}
