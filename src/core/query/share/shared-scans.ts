import { Fault } from '../../../contract/errors.ts';
import type { TimeRange } from '../plan/bucket.ts';
import type { RowScan, Scan } from '../plan/plan.ts';
import type { ScanRow } from '../run/points.ts';
import type { Engine } from '../run/run-plan.ts';
import { mergedScans, sharesOf, type Asked } from './shares.ts';

interface Waiting extends Asked {
  resolve(rows: ScanRow[]): void;
  reject(error: unknown): void;
}

/** Maximum number of scans of one batch that run at a time: a quarter of the places for charts. */
const scansAtOnce = 4;

/**
 * Runs scans that are asked for together in as few statements as possible. A scan that is asked for
 * while others run waits for their end, so that it can share a statement of the next round.
 */
export class SharedScans {
  private readonly engine: Engine;
  private waiting: Waiting[] = [];
  private busy = false;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  /** @throws Fault as the scan alone would */
  run(scan: Scan, range: TimeRange): Promise<ScanRow[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ scan, range, resolve, reject });
      this.begin();
    });
  }

  private begin(): void {
    if (!this.busy && this.waiting.length > 0) {
      this.busy = true;
      setImmediate(() => void this.round());
    }
  }

  private async round(): Promise<void> {
    const asked = this.waiting;
    this.waiting = [];
    try {
      const next = sharesOf(asked).values();
      await Promise.all(
        Array.from({ length: scansAtOnce }, async () => {
          for (const share of next) {
            await this.answer(share);
          }
        }),
      );
    } catch (error) {
      // Those that have their rows already are not affected.
      asked.forEach(({ reject }) => reject(error));
    }
    this.busy = false;
    this.begin();
  }

  /** Answers every scan of the share. If they fail together, asks for them in smaller shares. */
  private async answer(share: readonly Waiting[]): Promise<void> {
    try {
      const results = await this.ask(share);
      share.forEach(({ resolve }, index) => resolve(results[index] ?? []));
    } catch (error) {
      for (const part of smaller(share, error)) {
        await this.answer(part);
      }
      if (!dividable(share, error)) {
        share.forEach(({ reject }) => reject(error));
      }
    }
  }

  /** `result[n]` belongs to `share[n]`. */
  private async ask(share: readonly Waiting[]): Promise<ScanRow[][]> {
    const [first] = share;
    if (!first) {
      return [];
    }
    const merged = mergedScans(share);
    const [only] = merged;
    const results =
      only && merged.length === 1
        ? [await this.engine.scan(only.scan, first.range)]
        : await this.engine.groupings(
            merged.map(({ scan }) => scan as RowScan),
            first.range,
          );
    return share.map((asked) => {
      const index = merged.findIndex(({ members }) => members.includes(asked));
      const { members } = merged[index]!;
      const from = members
        .slice(0, members.indexOf(asked))
        .reduce((sum, { scan }) => sum + scan.measures.length, 0);
      return members.length === 1
        ? results[index]!
        : ownValues(results[index]!, from, asked.scan.measures.length);
    });
  }
}

/** The values of one scan. Rows without any belong to others. */
const ownValues = (rows: readonly ScanRow[], from: number, count: number): ScanRow[] =>
  rows.flatMap(({ bucketMs, group, values }) => {
    const own = values.slice(from, from + count);
    return own.some((value) => value !== null) ? [{ bucketMs, group, values: own }] : [];
  });

/** Whether a part of the scans may succeed where all together failed. */
const dividable = (share: readonly Waiting[], error: unknown): boolean =>
  share.length > 1 &&
  error instanceof Fault &&
  (error.code === 'bad_request' || error.code === 'timeout');

/** Halves find the one mistake in few steps. After a timeout, each scan gets the time of its own. */
function smaller(share: readonly Waiting[], error: unknown): (readonly Waiting[])[] {
  if (!dividable(share, error)) {
    return [];
  }
  if (error instanceof Fault && error.code === 'timeout') {
    return share.map((one) => [one]);
  }
  const half = Math.ceil(share.length / 2);
  return [share.slice(0, half), share.slice(half)];
}
