import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Log } from '../../src/ports/ambient.ts';
import type { Batch, Position, RecordBatch, SourceRecord } from '../../src/ports/batch.ts';
import {
  ConnectionLost,
  SourceFailed,
  type Connector,
  type From,
  type Opening,
} from '../../src/ports/connector.ts';

/** What a kind brings along to be put through the suite. */
export interface ConnectorHarness {
  /** One source for the whole suite. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** A new empty stream, topic or table on it. */
  stream(): Promise<StreamHarness>;
  /** Cuts the line to the source; undefined where the kind has no way to. */
  cut?(): Promise<void>;
  mend?(): Promise<void>;
  /**
   * The source pushes all it has as one answer, which no reader can hold down: what memory it takes
   * cannot be shown on it.
   */
  pushesWhole?: boolean;
  /** The source asks for no credentials: there is no refusal to show on it. */
  admitsAll?: boolean;
  /** The source makes any stream that is asked for: none can be absent. */
  inventsStreams?: boolean;
}

export interface StreamHarness {
  /**
   * JSON texts in order; each partition gets its share in order. Every value carries `"n"`, its
   * number.
   */
  produce(values: readonly string[]): Promise<void>;
  /** A new reader of the stream, as a new process would make it. */
  connector(options?: { log?: Log; bufferBytes?: number; purpose?: 'run' | 'sample' }): Connector;
  /** A reader with credentials that the source refuses. Needed unless the source admits all. */
  refused?(log: Log): Connector;
  /**
   * A reader of a stream that is not there. Needed unless the source makes any that is asked for.
   */
  absent?(): Connector;
  /** What must never be seen. */
  secrets: readonly string[];
  /** How far the source was told, by partition; undefined where it is told nothing. */
  committed?(): Promise<Map<string, Position>>;
}

/** Plays the runner: remembers positions, and what was read after each opening. */
export class Ledger {
  readonly positions = new Map<string, Position>();
  readonly until = new Map<string, Position>();
  readonly openings: string[] = [];
  /** Where batches without a record ended. */
  readonly ends: Position[] = [];
  readonly from: From = (partition) => {
    this.openings.push(partition);
    const position = this.positions.get(partition);
    const until = this.until.get(partition);
    const opening: Opening = {
      ...(position === undefined ? {} : { position }),
      ...(until === undefined ? {} : { until }),
    };
    return Promise.resolve(opening);
  };
}

const isRecords = (batch: Batch): batch is RecordBatch => batch.kind === 'records';

/**
 * Batches with records in them. What only moves the position is stored at once, as the runner does
 * it: a connector may wait for that.
 */
async function* reading(
  connector: Connector,
  ledger: Ledger,
  signal: AbortSignal,
): AsyncGenerator<RecordBatch> {
  for await (const batch of connector.read(ledger.from, signal)) {
    if (!isRecords(batch)) {
      continue;
    }
    if (batch.records.length > 0) {
      yield batch;
    } else {
      ledger.ends.push(batch.next);
      if (ledger.until.get(batch.partition) === undefined) {
        ledger.positions.set(batch.partition, batch.next);
      }
      await connector.commit(batch.partition, batch.next);
    }
  }
}

/** Reads until so many records (`distinct`: numbers) came, or the time is over. */
export async function readSome(
  connector: Connector,
  ledger: Ledger,
  count: number,
  options: {
    timeoutMs?: number;
    each?: (batch: RecordBatch) => void | Promise<void>;
    distinct?: boolean;
  } = {},
): Promise<{ partition: string; record: SourceRecord }[]> {
  const enough = new AbortController();
  const signal = AbortSignal.any([enough.signal, AbortSignal.timeout(options.timeoutMs ?? 40_000)]);
  const read: { partition: string; record: SourceRecord }[] = [];
  try {
    if (count === 0) {
      return read;
    }
    for await (const batch of reading(connector, ledger, signal)) {
      for (const record of batch.records) {
        read.push({ partition: batch.partition, record });
      }
      await options.each?.(batch);
      if (
        (options.distinct === true
          ? new Set(read.map(({ record }) => numberOf(record))).size
          : read.length) >= count
      ) {
        break;
      }
    }
    return read;
  } finally {
    enough.abort();
  }
}

const numberOf = (record: SourceRecord): number =>
  (JSON.parse(record.data!.toString()) as { n: number }).n;
const values = (from: number, to: number, extra = ''): string[] =>
  Array.from({ length: to - from }, (_, index) => `{"n":${from + index},"text":"ü ${extra}"}`);
const quiet: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => quiet,
};

/** Runs with one reader and closes it. */
async function using<T>(
  connector: Connector,
  work: (connector: Connector) => Promise<T>,
): Promise<T> {
  try {
    return await work(connector);
  } finally {
    await connector.close();
  }
}

/** What every connector must do, whatever it reads from. */
export function connectorSuite(name: string, harness: ConnectorHarness): void {
  describe(`${name} keeps the connector contract`, () => {
    beforeAll(() => harness.start());
    afterAll(() => harness.stop());

    positionTests(harness);
    limitTests(harness);
    refusalTests(harness);
    sampleTests(harness);
  });
}

function positionTests(harness: ConnectorHarness): void {
  it('gives every record once, in order within its partition, byte for byte', async () => {
    const stream = await harness.stream();
    await stream.produce(values(0, 500));
    const read = await using(stream.connector(), (connector) =>
      readSome(connector, new Ledger(), 500),
    );
    expect(read.map(({ record }) => record.data!.toString()).sort()).toEqual(values(0, 500).sort());
    for (const partition of new Set(read.map((item) => item.partition))) {
      const numbers = read
        .filter((item) => item.partition === partition)
        .map(({ record }) => numberOf(record));
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
  });

  it('goes on after the position that was stored, whoever reads', async () => {
    const stream = await harness.stream();
    await stream.produce(values(0, 100));
    const ledger = new Ledger();
    await using(stream.connector(), (connector) =>
      readSome(connector, ledger, 100, {
        each: ({ partition, next }) => {
          ledger.positions.set(partition, next);
        },
      }),
    );
    await stream.produce(values(100, 160));
    const rest = await using(stream.connector(), (connector) => readSome(connector, ledger, 60));
    expect(rest.map(({ record }) => numberOf(record)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, index) => 100 + index),
    );
  });

  it('gives again what was read but not stored', async () => {
    const stream = await harness.stream();
    await stream.produce(values(0, 50));
    const ledger = new Ledger();
    await using(stream.connector(), (connector) => readSome(connector, ledger, 50));
    const again = await using(stream.connector(), (connector) => readSome(connector, ledger, 50));
    expect(again.map(({ record }) => numberOf(record)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, index) => index),
    );
  });

  it('never counts as read what was not committed, even where later records were', async () => {
    const stream = await harness.stream();
    if (!stream.committed) {
      return;
    }
    await stream.produce(values(0, 60));
    const ledger = new Ledger();
    const stored = new Map<string, Position>();
    await using(stream.connector(), async (connector) => {
      await readSome(connector, ledger, 60, {
        each: async (batch) => {
          if (stored.has(batch.partition) || batch.records.length < 2) {
            return;
          }
          const position = batch.records[1]!.position;
          stored.set(batch.partition, position);
          await connector.commit(batch.partition, position);
        },
      });
    });
    const committed = await stream.committed();
    expect(stored.size).toBeGreaterThan(0);
    for (const [partition, position] of stored) {
      expect(committed.get(partition)).toBe(position);
    }
  });

  it('ends a batch exactly where an earlier range ended', async () => {
    const stream = await harness.stream();
    await stream.produce(values(0, 90));
    const ledger = new Ledger();
    const read = await using(stream.connector(), (connector) => readSome(connector, ledger, 90));
    const partition = read[0]!.partition;
    const own = read.filter((item) => item.partition === partition);
    const until = own[Math.floor(own.length / 3)]!.record.position;
    // The end of a range is a `next`: for a source whose positions are "the next one", a record's
    // own place is it for the one before.
    ledger.positions.set(partition, own[0]!.record.position);
    ledger.until.set(partition, until);
    const ends: Position[] = [];
    let more = false;
    // More comes after it: it must not be cut again, nor go back.
    await using(stream.connector(), (connector) =>
      readSome(connector, ledger, 119, {
        each: async (batch) => {
          if (batch.partition !== partition) {
            return;
          }
          ends.push(batch.next);
          if (!more) {
            await stream.produce(values(90, 120));
          }
          more = true;
        },
      }),
    );
    expect([...ends, ...ledger.ends].filter((end) => end === until)).toEqual([until]);
  });
}

function limitTests(harness: ConnectorHarness): void {
  it('starts a stream that was never read with an answer from the runner for each partition', async () => {
    const stream = await harness.stream();
    await stream.produce(values(0, 20));
    const ledger = new Ledger();
    const read = await using(stream.connector(), (connector) => readSome(connector, ledger, 20));
    expect(new Set(ledger.openings)).toEqual(
      new Set([...ledger.openings, ...read.map(({ partition }) => partition)]),
    );
  });

  it('reads nothing of a partition that the runner refuses', async () => {
    const stream = await harness.stream();
    await stream.produce(values(0, 20));
    const connector = stream.connector();
    const read: Batch[] = [];
    await using(connector, async () => {
      for await (const batch of connector.read(
        () => Promise.resolve(undefined),
        AbortSignal.timeout(4000),
      )) {
        read.push(batch);
      }
    });
    expect(read.filter(isRecords).flatMap(({ records }) => records)).toEqual([]);
  });

  it.each([
    ['while nothing comes', 0],
    ['while more comes than is taken', 5000],
  ])('stops within two seconds of being told, %s', async (_title, count) => {
    const stream = await harness.stream();
    await stream.produce(values(0, count + 1, 'x'.repeat(count > 0 ? 1000 : 0)));
    const stop = new AbortController();
    await using(stream.connector({ bufferBytes: 2 ** 20 }), async (connector) => {
      const batches = reading(connector, new Ledger(), stop.signal);
      await batches.next();
      const toldAt = performance.now();
      stop.abort();
      while ((await batches.next()).done !== true) {
        /* what was on its way may still come */
      }
      expect(performance.now() - toldAt).toBeLessThan(2000);
    });
  });

  if (!harness.pushesWhole) {
    it('holds no more than it may while nobody takes', async () => {
      const stream = await harness.stream();
      const large = 'x'.repeat(100_000);
      await stream.produce(values(0, 600, large));
      const stop = new AbortController();
      await using(stream.connector({ bufferBytes: 4 * 2 ** 20 }), async (connector) => {
        const batches = reading(connector, new Ledger(), stop.signal);
        // What producing left behind would hide what the connector holds.
        const collect = garbageCollector();
        const heldBytes = (): number => {
          collect();
          return process.memoryUsage().arrayBuffers;
        };
        const before = heldBytes();
        await batches.next();
        let most = 0;
        for (let look = 0; look < 20; look++) {
          await pause(100);
          most = Math.max(most, heldBytes() - before);
        }
        stop.abort();
        // Of the 60 MB that wait at the source: what it may hold, and one answer of the source on
        // its way.
        expect(most).toBeLessThan(45 * 2 ** 20);
      });
    });
  }
}

function refusalTests(harness: ConnectorHarness): void {
  if (harness.cut) {
    it(
      'says that the line is lost when it is cut, and a new reader goes on when it is back',
      { timeout: 180_000 },
      async () => {
        const stream = await harness.stream();
        await stream.produce(values(0, 30));
        const ledger = new Ledger();
        const connector = stream.connector();
        await using(connector, async () => {
          const readOn = (async () => {
            let seen = 0;
            for await (const batch of reading(connector, ledger, AbortSignal.timeout(120_000))) {
              ledger.positions.set(batch.partition, batch.next);
              seen += batch.records.length;
              if (seen >= 30) {
                await harness.cut!();
              }
            }
          })();
          await expect(readOn).rejects.toBeInstanceOf(ConnectionLost);
        });
        await harness.mend!();
        await stream.produce(values(30, 60));
        const rest = await using(stream.connector(), (again) =>
          readSome(again, ledger, 30, { distinct: true }),
        );
        // A producer that tries again while the source comes back may send a record twice: each
        // is told apart by its place.
        expect(
          new Set(rest.map(({ partition, record }) => `${partition} ${record.position}`)).size,
        ).toBe(rest.length);
        expect(
          [...new Set(rest.map(({ record }) => numberOf(record)))].sort((a, b) => a - b),
        ).toEqual(Array.from({ length: 30 }, (_, index) => 30 + index));
      },
    );
  }

  if (!harness.inventsStreams) {
    it('says which source is not there', async () => {
      const stream = await harness.stream();
      await using(stream.absent!(), async (connector) => {
        await expect(connector.check(AbortSignal.timeout(20_000))).rejects.toBeInstanceOf(
          SourceFailed,
        );
      });
    });
  }

  if (!harness.admitsAll) {
    it('tells no secret in an error or a log line when it is refused', async () => {
      const stream = await harness.stream();
      const lines: string[] = [];
      const write = (fields: object, message: string): void => {
        lines.push(`${message} ${JSON.stringify(fields)}`);
      };
      const log: Log = { debug: write, info: write, warn: write, error: write, child: () => log };
      await using(stream.refused!(log), async (connector) => {
        const error: unknown = await connector
          .check(AbortSignal.timeout(20_000))
          .catch((refusal: unknown) => refusal);
        expect(error).toBeInstanceOf(SourceFailed);
        const output = `${everythingOf(error)} ${lines.join('\n')}`;
        for (const secret of stream.secrets) {
          expect(output).not.toContain(secret);
        }
      });
    });
  }
}

function sampleTests(harness: ConnectorHarness): void {
  it('looks at samples without a trace at the source', async () => {
    const stream = await harness.stream();
    await stream.produce(values(0, 10));
    const sampled = await using(stream.connector({ purpose: 'sample', log: quiet }), (connector) =>
      readSome(connector, new Ledger(), 5),
    );
    expect(sampled.length).toBeGreaterThanOrEqual(5);
    if (stream.committed) {
      expect([...(await stream.committed())].filter(([, position]) => position !== '-1')).toEqual(
        [],
      );
    }
    const read = await using(stream.connector(), (connector) =>
      readSome(connector, new Ledger(), 10),
    );
    expect(read).toHaveLength(10);
  });

  it('can be closed at any time, and twice', async () => {
    const stream = await harness.stream();
    const connector = stream.connector();
    await connector.close();
    await connector.close();
  });
}

/** An error with its causes and every field of theirs. */
function everythingOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 6) {
    return '';
  }
  return (
    `${error.name} ${error.message} ${error.stack ?? ''} ${JSON.stringify(error)} ` +
    `${everythingOf(error.cause, depth + 1)}`
  );
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
