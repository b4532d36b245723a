import { randomFillSync, randomUUID } from 'node:crypto';
import type { Clock, Ids } from '../../ports/ambient.ts';

/** The last 16 bits of the time's 48 count calls within a millisecond. */
const countMax = 0xffff;

/**
 * Object ids: 48 bits of milliseconds, 16 bits of a count, 32 random bits. They grow from call to
 * call within a process, even when the clock stands or goes back; between processes the random bits
 * keep them apart.
 */
export function createIds(clock: Clock): Ids {
  const random = randomTails();
  let lastMs = 0;
  let count = 0;
  return {
    object() {
      const nowMs = clock.now();
      if (nowMs > lastMs) {
        lastMs = nowMs;
        count = 0;
      } else if (++count > countMax) {
        lastMs++;
        count = 0;
      }
      return lastMs.toString(16).padStart(12, '0') + count.toString(16).padStart(4, '0') + random();
    },
    uuid: () => randomUUID(),
  };
}

/**
 * Eight hexadecimal digits at a time, from a store of random bytes: asking the system for four at a
 * time costs more than the rest.
 */
function randomTails(): () => string {
  const store = Buffer.alloc(4096);
  let offset = store.length;
  return () => {
    if (offset === store.length) {
      randomFillSync(store);
      offset = 0;
    }
    offset += 4;
    return store.toString('hex', offset - 4, offset);
  };
}
