interface Reading {
  count: number;
  atMs: number;
}

const windowMs = 60_000;
/** Readings that are closer say nothing. */
const distanceMinMs = 3000;

/** How fast counters grow, from the readings of the last minute. */
export class RateMeter {
  readonly #readings = new Map<string, readonly Reading[]>();

  /** Notes a reading. Per second; undefined until two readings are far enough apart. */
  read(id: string, count: number, atMs: number): number | undefined {
    const before = (this.#readings.get(id) ?? []).filter((reading) => reading.count <= count);
    const recent = before.filter((reading) => atMs - reading.atMs <= windowMs);
    const kept = recent.length > 0 ? recent : before.slice(-1);
    this.#readings.set(id, [...kept, { count, atMs }]);
    const [first] = kept;
    return first === undefined || atMs - first.atMs < distanceMinMs
      ? undefined
      : ((count - first.count) * 1000) / (atMs - first.atMs);
  }
}
