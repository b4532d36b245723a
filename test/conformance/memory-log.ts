import { setTimeout as pause } from 'node:timers/promises';
import type { Batch, Position } from '../../src/ports/batch.ts';
import {
  ConnectionLost,
  SourceFailed,
  type Connector,
  type ConnectorContext,
  type From,
} from '../../src/ports/connector.ts';
import type { Explorer } from '../../src/ports/explorer.ts';

/**
 * A partitioned log in memory: the plainest source there can be, for tests of the runner and of the
 * suite itself.
 */
export class MemoryLog {
  readonly partitions: Buffer[][];
  readonly committed = new Map<string, Position>();
  /** Read by members that share it, or all by each one. */
  down = false;
  reads = 0;
  /** How often reading was begun. */
  readers = 0;

  constructor(partitions: number) {
    this.partitions = Array.from({ length: partitions }, () => []);
  }

  append(values: readonly string[]): void {
    for (const [index, value] of values.entries()) {
      this.partitions[index % this.partitions.length]!.push(Buffer.from(value));
    }
  }

  connector({ replica }: Pick<ConnectorContext, 'replica'>, batchRecords = 100): Connector {
    return new MemoryConnector(this, replica, batchRecords);
  }
}

class MemoryConnector implements Connector {
  readonly #log: MemoryLog;
  readonly #replica: { index: number; count: number };
  readonly #batchRecords: number;

  constructor(log: MemoryLog, replica: { index: number; count: number }, batchRecords: number) {
    this.#log = log;
    this.#replica = replica;
    this.#batchRecords = batchRecords;
  }

  async *read(from: From, signal: AbortSignal): AsyncGenerator<Batch> {
    this.#log.readers++;
    const own = this.#log.partitions
      .map((_, index) => index)
      .filter((index) => index % this.#replica.count === this.#replica.index);
    const open: { index: number; position: number; until: number | undefined }[] = [];
    for (const index of own) {
      const opening = await from(String(index));
      if (opening) {
        open.push({
          index,
          position: Number(opening.position ?? 0),
          until: opening.until === undefined ? undefined : Number(opening.until),
        });
      }
    }
    while (!signal.aborted) {
      if (this.#log.down) {
        throw new ConnectionLost('the log is away');
      }
      let gave = false;
      for (const place of open) {
        const log = this.#log.partitions[place.index]!;
        const end = Math.min(
          log.length,
          place.position + this.#batchRecords,
          place.until !== undefined && place.position < place.until ? place.until : Infinity,
        );
        if (end <= place.position) {
          continue;
        }
        const records = log.slice(place.position, end).map((data, offset) => ({
          position: String(place.position + offset),
          data,
          timestampMs: 1_700_000_000_000,
        }));
        place.position = end;
        gave = true;
        this.#log.reads += records.length;
        yield {
          kind: 'records',
          partition: String(place.index),
          records,
          bytes: records.reduce((sum, { data }) => sum + data.length, 0),
          next: String(end),
          remaining: log.length - end,
          constants: { _topic: 'memory', _partition: place.index },
        };
        if (signal.aborted) {
          return;
        }
      }
      if (!gave) {
        await pause(5);
      }
    }
  }

  commit(partition: string, position: Position): Promise<void> {
    this.#log.committed.set(partition, position);
    return Promise.resolve();
  }

  check(): Promise<void> {
    if (this.#log.down) {
      return Promise.reject(new ConnectionLost('the log is away'));
    }
    return this.#log.partitions.length === 0
      ? Promise.reject(new SourceFailed('the log has no partition'))
      : Promise.resolve();
  }

  explorer(): Promise<Explorer> {
    const partitions = this.#log.partitions;
    const item = { id: 'log', partitions: partitions.length };
    return Promise.resolve({
      check: (begin) => {
        begin('connect', 'address');
        return this.check();
      },
      list: () => Promise.resolve({ kind: 'topics', items: [item], hasMore: false }),
      sample: (id) =>
        Promise.resolve(
          id === item.id
            ? {
                kind: 'records',
                item,
                itemKind: 'topics',
                source: {},
                name: id,
                records: partitions.flat().map((data, index) => ({ position: `${index}`, data })),
              }
            : undefined,
        ),
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
