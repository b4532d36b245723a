/** Longer than a collector retries (5 minutes). */
const keptMs = 10 * 60_000;
const maxDigests = 100_000;

/** Remembers for some minutes which rows were stored. */
export class StoredDigests {
  /** Digest to the time (ms) it was stored, oldest first. */
  private readonly storedMs = new Map<string, number>();

  add(digest: string): void {
    const nowMs = performance.now();
    this.storedMs.delete(digest);
    this.storedMs.set(digest, nowMs);
    for (const [oldest, timeMs] of this.storedMs) {
      if (this.storedMs.size <= maxDigests && nowMs - timeMs < keptMs) {
        break;
      }
      this.storedMs.delete(oldest);
    }
  }

  has(digest: string): boolean {
    const timeMs = this.storedMs.get(digest);
    return timeMs !== undefined && performance.now() - timeMs < keptMs;
  }
}
