import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { ObjectFormat } from '../../../contract/pipe/object-storage.ts';
import type { Batch, Position, SelectBatch } from '../../../ports/batch.ts';
import type {
  Connector,
  ConnectorContext,
  ConnectorFactory,
  From,
} from '../../../ports/connector.ts';
import type { Explorer } from '../../../ports/explorer.ts';
import type { LedgerEntry, ListedObject } from '../../../ports/store/object-ledger.ts';
import { pause } from '../../../ports/pause.ts';
import { AzureSource } from './stores/azure-source.ts';
import { EventQueue } from './listing/event-queue.ts';
import { glob, type Glob } from './listing/glob.ts';
import { objectAddress, type ObjectAddress } from './stores/object-address.ts';
import { ListedLately, type NearNames } from './listing/near-names.ts';
import { ObjectBatches } from './listing/object-batches.ts';
import { formatOf } from './formats/object-format.ts';
import { ObjectExplorer } from './object-explorer.ts';
import { ObjectPartitions, type ObjectPartition } from './object-partitions.ts';
import type { ObjectSource } from './stores/object-source.ts';
import { S3Source, type S3SourceOptions } from './stores/s3-source.ts';
import { objectBatch } from './load/object-batch.ts';

/** Readers of S3, Google Cloud Storage and Azure Blob Storage. */
export function objectStorageConnector(
  options: S3SourceOptions = {},
): ConnectorFactory<'objectStorage'> {
  return (context) => new ObjectStorageConnector(context, options);
}

const retryMs = 500;
const samplesMax = 1;
/** Number of polling intervals between two full listings if there is an event queue. */
const listingEvery = 10;

class ObjectStorageConnector implements Connector {
  readonly #context: ConnectorContext<'objectStorage'>;
  readonly #address: ObjectAddress;
  readonly #source: ObjectSource;
  readonly #glob: Glob;
  readonly #fingerprint: string;
  readonly #queue: EventQueue | undefined;
  readonly #closing = new AbortController();
  #partitions: ObjectPartitions | undefined;

  constructor(context: ConnectorContext<'objectStorage'>, options: S3SourceOptions) {
    const { source, fields = [] } = context;
    this.#context = context;
    this.#address = objectAddress(source);
    this.#source =
      this.#address.kind === 's3'
        ? new S3Source(context, this.#address, options)
        : new AzureSource(context, this.#address);
    this.#glob = glob(this.#address.pattern);
    if (source.queueUrl !== undefined && this.#address.kind === 's3') {
      this.#queue = new EventQueue(
        context,
        source.queueUrl,
        this.#address,
        this.#glob.matches,
        () => this.#source.engineCredentials(),
      );
    }
    this.#fingerprint = createHash('sha256')
      .update(JSON.stringify([fields, source.format, source.compression, source.delimiter]))
      .digest('hex')
      .slice(0, 16);
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.#source.check(this.#glob.prefix, signal);
  }

  async *read(from: From, signal: AbortSignal): AsyncGenerator<Batch> {
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    setMaxListeners(0, stop);
    const partitions = (this.#partitions = new ObjectPartitions(stop));
    try {
      yield* this.#unfinished(partitions, from);
      if (partitions.any === undefined) {
        return;
      }
      for (let pass = 1; !stop.aborted; pass++) {
        yield* this.#pass(partitions, stop);
        if (this.#context.purpose === 'sample') {
          return;
        }
        if (this.#queue) {
          yield* this.#events(partitions, this.#queue, stop);
        } else if (this.#context.source.isContinuous === true) {
          await pause(this.#pollingMs, stop);
        } else if (await this.#isOver(partitions)) {
          return;
        } else {
          await pause(Math.min(30_000, retryMs * 2 ** Math.min(pass, 10)), stop);
        }
      }
    } catch (error) {
      if (!stop.aborted) {
        throw error;
      }
    }
  }

  commit(partition: string, position: Position): Promise<void> {
    this.#partitions?.stored(partition, position);
    return Promise.resolve();
  }

  explorer(): Promise<Explorer> {
    return Promise.resolve(
      new ObjectExplorer({
        context: this.#context,
        address: this.#address,
        source: this.#source,
        glob: this.#glob,
      }),
    );
  }

  close(): Promise<void> {
    this.#closing.abort();
    this.#source.close();
    this.#queue?.close();
    return Promise.resolve();
  }

  /**
   * Opens this reader's partitions and returns their unfinished batches again. The first reader
   * also opens partitions of replicas that no longer exist.
   */
  async *#unfinished(partitions: ObjectPartitions, from: From): AsyncGenerator<Batch> {
    const { replica, settings, purpose } = this.#context;
    // More partitions than concurrent loads, so that the engine never waits for a batch to be
    // planned.
    const own = purpose === 'sample' ? 1 : Number(settings['object_storage_concurrency'] ?? 1) + 2;
    const names = Array.from({ length: own }, (_, index) => `${replica.index}-${index}`);
    for (let index = 0; index < names.length; index++) {
      const opened = await partitions.open(names[index]!, from);
      if (!opened) {
        continue;
      }
      if (index === 0) {
        names.push(
          ...((await opened.partition.ledger?.unfinished()) ?? []).filter(
            (name) => !names.includes(name) && this.#isMine(name),
          ),
        );
      }
      const [first] = opened.unfinished;
      if (first) {
        yield await this.#give(
          opened.partition,
          formatOf(first, this.#context.source.format),
          opened.unfinished,
        );
      }
    }
  }

  #isMine(partition: string): boolean {
    const { index, count } = this.#context.replica;
    const owner = Number(partition.split('-', 1)[0]);
    return owner === index || (index === 0 && owner >= count);
  }

  /** Lists all objects once. */
  async *#pass(partitions: ObjectPartitions, signal: AbortSignal): AsyncGenerator<Batch> {
    const { settings, purpose } = this.#context;
    const bounds = {
      bytesMax: Number(settings['object_storage_max_insert_bytes'] ?? 10 * 2 ** 30),
      filesMax: Number(settings['object_storage_max_file_count'] ?? 100),
    };
    const batches = new ObjectBatches(
      purpose === 'sample' ? { ...bounds, filesMax: samplesMax } : bounds,
    );
    const unknown: ListedObject[] = [];
    const lately = new ListedLately();
    let near: NearNames | undefined;
    for await (const { page, next } of withNext(this.#source.list(this.#glob.prefix, signal))) {
      if (signal.aborted) {
        return;
      }
      if (!near) {
        lately.add(page.map(({ name }) => name));
      }
      if (next) {
        lately.add(next.map(({ name }) => name));
      }
      near = lately.near(next === undefined);
      for (const object of await this.#wanted(partitions, page)) {
        const format = formatOf(object, this.#context.source.format);
        if (format === undefined) {
          unknown.push(object);
        } else {
          for (const full of batches.add(format, object)) {
            yield* this.#plan(partitions, full.format, full.objects, near);
            if (purpose === 'sample') {
              return;
            }
          }
        }
      }
      for (
        let some = unknown.splice(0, bounds.filesMax);
        some.length > 0;
        some = unknown.splice(0, bounds.filesMax)
      ) {
        yield* this.#plan(partitions, undefined, some);
      }
    }
    for (const { format, objects } of batches.rest()) {
      yield* this.#plan(partitions, format, objects, near);
    }
  }

  get #pollingMs(): number {
    return Number(this.#context.settings['object_storage_polling_interval_ms'] ?? 30_000);
  }

  /**
   * Reads notifications until the next full listing, which finds objects whose notification was
   * lost. A notification is deleted from the queue when its objects are stored.
   */
  async *#events(
    partitions: ObjectPartitions,
    queue: EventQueue,
    signal: AbortSignal,
  ): AsyncGenerator<Batch> {
    const untilMs = Date.now() + listingEvery * this.#pollingMs;
    while (!signal.aborted && Date.now() < untilMs) {
      const { names, receipts } = await queue.receive(signal);
      const looked = await Promise.all(names.map((name) => this.#source.look(name, signal)));
      const wanted = await this.#wanted(
        partitions,
        looked.filter((object) => object !== undefined),
      );
      const batches = new ObjectBatches({
        bytesMax: Number.MAX_SAFE_INTEGER,
        filesMax: Number.MAX_SAFE_INTEGER,
      });
      for (const object of wanted) {
        const format = formatOf(object, this.#context.source.format);
        if (format === undefined) {
          yield* this.#plan(partitions, undefined, [object]);
        } else {
          for (const full of batches.add(format, object)) {
            yield* this.#plan(partitions, full.format, full.objects);
          }
        }
      }
      for (const { format, objects } of batches.rest()) {
        yield* this.#plan(partitions, format, objects);
      }
      await partitions.idle();
      if (!signal.aborted && (await this.#isSettled(partitions, names))) {
        await queue.done(receipts);
      }
    }
  }

  /** Whether none of the objects waits for a retry. Otherwise the repeated message retries it. */
  async #isSettled(partitions: ObjectPartitions, names: readonly string[]): Promise<boolean> {
    const entries =
      names.length === 0 ? [] : ((await partitions.any?.ledger?.entries(names)) ?? []);
    return entries.every(({ state }) => state !== 'waiting');
  }

  /**
   * The objects of a page that match the pattern, belong to this reader and are not loaded in
   * their current version.
   */
  async #wanted(
    partitions: ObjectPartitions,
    page: readonly ListedObject[],
  ): Promise<ListedObject[]> {
    const { replica } = this.#context;
    // A name that ends with / is a folder.
    const named = page.filter(
      ({ name, bytes }) =>
        !name.endsWith('/') &&
        (bytes > 0 || this.#context.purpose === 'run') &&
        this.#glob.matches(name) &&
        (replica.count === 1 || shareOf(name, replica.count) === replica.index),
    );
    const ledger = partitions.any?.ledger;
    if (!ledger || named.length === 0) {
      return named;
    }
    const known = new Map(
      (await ledger.entries(named.map(({ name }) => name))).map((entry) => [entry.name, entry]),
    );
    return named.filter((object) => this.#isWanted(object, known.get(object.name)));
  }

  #isWanted({ etag }: ListedObject, entry: LedgerEntry | undefined): boolean {
    switch (entry?.state) {
      case 'planned':
        return false;
      case 'loaded':
        return entry.etag !== etag;
      case 'refused':
        return entry.etag !== etag || entry.fingerprint !== this.#fingerprint;
      default:
        return true;
    }
  }

  async *#plan(
    partitions: ObjectPartitions,
    format: ObjectFormat | undefined,
    objects: readonly ListedObject[],
    near?: NearNames,
  ): AsyncGenerator<Batch> {
    const partition = await partitions.free();
    if (!partition) {
      return;
    }
    if (!partition.ledger) {
      return yield await this.#give(partition, format, objects.map(entryOf), near);
    }
    const planned = await partition.ledger.plan(String(partition.next), objects, this.#fingerprint);
    if (planned === undefined || planned.length === 0) {
      return;
    }
    yield await this.#give(partition, format, planned, near);
  }

  async #give(
    partition: ObjectPartition,
    format: ObjectFormat | undefined,
    objects: readonly LedgerEntry[],
    near?: NearNames,
  ): Promise<SelectBatch> {
    partition.busy = true;
    return objectBatch({
      context: this.#context,
      address: this.#address,
      source: this.#source,
      partition,
      format,
      objects,
      near,
    });
  }

  /**
   * Whether a one-time load is complete: everything is stored, and no object waits for a retry.
   */
  async #isOver(partitions: ObjectPartitions): Promise<boolean> {
    await partitions.idle();
    return (await partitions.any?.ledger?.waiting()) === 0;
  }
}

const entryOf = (object: ListedObject): LedgerEntry => ({
  ...object,
  state: 'planned',
  fingerprint: '',
  rows: 0,
  reason: null,
  tries: 0,
});

/** Each page with the next one. The page after that is fetched meanwhile. */
async function* withNext<T>(
  pages: AsyncIterable<T>,
): AsyncGenerator<{ page: T; next: T | undefined }> {
  const iterator = pages[Symbol.asyncIterator]();
  const fetch = (): Promise<IteratorResult<T>> => {
    const fetched = iterator.next();
    // The consumer sees the error when it awaits the page. It may stop before that.
    fetched.catch(() => undefined);
    return fetched;
  };
  let page = await iterator.next();
  let coming = page.done === true ? page : fetch();
  while (page.done !== true) {
    const next = await coming;
    coming = next.done === true ? next : fetch();
    yield { page: page.value, next: next.done === true ? undefined : next.value };
    page = next;
  }
}

function shareOf(name: string, count: number): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) % count;
}
