import { LinkedSignal } from '../../../../ports/linked-signal.ts';
import { byBytes, commonStart } from './near-names.ts';
import type { ObjectSource } from '../stores/object-source.ts';

const looksAtOnce = 16;
/** A page of a listing costs about as much as this many single looks. */
const looksOfPage = 20;

/**
 * Current ETags of these objects, without those that no longer exist. Objects with neighbouring
 * names are looked at by a listing of the range of their names. Objects that the listing did not
 * show, or whose range holds mostly others, are looked at one by one.
 */
export async function lookAgain(
  source: Pick<ObjectSource, 'list' | 'look'>,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const etags = new Map<string, string>();
  const remaining = new Set(names);
  if (names.length >= looksOfPage) {
    await lookByListing(source, remaining, etags, signal);
  }
  await lookOneByOne(source, remaining, etags, signal);
  return etags;
}

async function lookByListing(
  source: Pick<ObjectSource, 'list'>,
  remaining: Set<string>,
  etags: Map<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const inOrder = [...remaining].sort(byBytes);
  const [first = '', last = ''] = [inOrder[0], inOrder.at(-1)];
  let pagesLeft = Math.ceil(remaining.size / looksOfPage);
  // A listing begins after a name, so the first object is looked at alone.
  for await (const page of source.list(commonStart(first, last), signal, first)) {
    for (const { name, etag } of page) {
      if (remaining.delete(name)) {
        etags.set(name, etag);
      }
    }
    const end = page.at(-1);
    if (
      --pagesLeft <= 0 ||
      remaining.size <= 1 ||
      (end !== undefined && byBytes(end.name, last) >= 0)
    ) {
      return;
    }
  }
}

async function lookOneByOne(
  source: Pick<ObjectSource, 'look'>,
  remaining: ReadonlySet<string>,
  etags: Map<string, string>,
  signal: AbortSignal,
): Promise<void> {
  // Each look adds a listener.
  const looking = new LinkedSignal(signal);
  const queue = [...remaining];
  const lookAtRest = async (): Promise<void> => {
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      const now = await source.look(name, looking.signal);
      if (now !== undefined) {
        etags.set(name, now.etag);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(looksAtOnce, queue.length) }, lookAtRest));
  } finally {
    looking.release();
  }
}
