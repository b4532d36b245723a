import type { ObjectSource } from './object-source.ts';
import { isWholeStream } from './zstd-frames.ts';

const streamsAtOnce = 8;

/**
 * Those of the objects whose zstd stream does not come to its end, or that are no such stream. They are fetched once more for that: the engine takes
 * what there is of a stream for all of it, and says nothing.
 */
export async function cutOffStreams(
  source: Pick<ObjectSource, 'read'>,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const left = [...names];
  const cut: string[] = [];
  await Promise.all(
    Array.from({ length: Math.min(streamsAtOnce, left.length) }, async () => {
      for (let name = left.pop(); name !== undefined; name = left.pop()) {
        if (!(await isWholeStream(source.read(name, signal)))) {
          cut.push(name);
        }
      }
    }),
  );
  return cut;
}
