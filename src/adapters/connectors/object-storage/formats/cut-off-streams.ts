import type { ObjectSource } from '../stores/object-source.ts';
import { isWholeStream } from './zstd-frames.ts';

const streamsAtOnce = 8;

/**
 * Finds the objects whose zstd stream is cut off, or that are no such stream. It fetches them once
 * more, because the engine takes the part of a stream for all of it.
 */
export async function cutOffStreams(
  source: Pick<ObjectSource, 'read'>,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const queue = [...names];
  const cut: string[] = [];
  await Promise.all(
    Array.from({ length: Math.min(streamsAtOnce, queue.length) }, async () => {
      for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
        if (!(await isWholeStream(source.read(name, signal)))) {
          cut.push(name);
        }
      }
    }),
  );
  return cut;
}
