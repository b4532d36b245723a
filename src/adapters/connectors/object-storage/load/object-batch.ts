import type { ObjectFormat } from '../../../../contract/pipe/object-storage.ts';
import type { ItemOutcome, RowCount, SelectBatch, SelectStage } from '../../../../ports/batch.ts';
import { ConnectionLost, type ConnectorContext } from '../../../../ports/connector.ts';
import type { LedgerEntry } from '../../../../ports/store/object-ledger.ts';
import { join, sql, type Sql } from '../../../../sql/sql.ts';
import { blameObject, namesObject } from '../errors/object-errors.ts';
import { formatOf, hasLineBreak } from '../formats/object-format.ts';
import type { NearNames } from '../listing/near-names.ts';
import { someOthers } from '../listing/some-others.ts';
import type { ObjectPartition } from '../object-partitions.ts';
import { engineEndpoint } from '../stores/engine-endpoint.ts';
import {
  emptyReason,
  enginePath,
  engineSettings,
  engineSource,
  type EngineRead,
} from '../stores/engine-source.ts';
import type { ObjectAddress } from '../stores/object-address.ts';
import type { ObjectSource } from '../stores/object-source.ts';
import { ChangedObjects, type Change } from './changed-objects.ts';

export interface ObjectBatchOptions {
  context: ConnectorContext<'objectStorage'>;
  address: ObjectAddress;
  source: ObjectSource;
  partition: ObjectPartition;
  /** Undefined: the names do not tell it, and the objects are refused. */
  format: ObjectFormat | undefined;
  objects: readonly LedgerEntry[];
  /** What was listed around them. */
  near?: NearNames | undefined;
}

/** An object is given up after this many tries. */
const triesMax = 5;
/**
 * Decompressed bytes that objects may give: a fixed number, and a multiple of their size. Columns
 * with one value make Parquet far smaller than its rows.
 */
const expansion = {
  text: { bytes: 2 ** 28, times: 200 },
  columns: { bytes: 2 ** 32, times: 2000 },
};
/** Above this average size, a version on every row costs more than one look at each object. */
const smallBytes = 32 * 1024;
const validateVersions = 's3_validate_etag_on_read';

const unknownFormat =
  'its name does not tell its format: give the pipe a format, or the object an ending such as ' +
  '.json, .csv, .tsv, .parquet or .avro (a compression may follow)';
const lineBreak = 'its name has a line break in it, so that the engine cannot read it';

/** Prepares a batch: endpoint and credentials are those of this moment. */
export async function objectBatch(options: ObjectBatchOptions): Promise<SelectBatch> {
  const { context, address, source, format = 'JSONEachRow' } = options;
  const usesCluster = context.settings['object_storage_use_cluster_function'] === true;
  return new ObjectBatch(options, {
    address,
    endpoint: await engineEndpoint(context, address),
    credentials: await source.engineCredentials(),
    source: context.source,
    format,
    fields: context.fields ?? [],
    cluster: usesCluster ? context.cluster : undefined,
    near: options.near,
  });
}

/** Objects of one partition that are loaded together. The engine tells them apart by `_path`. */
class ObjectBatch implements SelectBatch {
  readonly kind = 'select';
  readonly partition: string;
  readonly next: string;
  readonly label: string;
  readonly bytes: number;
  readonly secrets: readonly string[];
  readonly items: readonly string[];
  readonly #options: ObjectBatchOptions;
  readonly #read: EngineRead;
  readonly #settings: Sql;
  readonly #planned: ReadonlyMap<string, LedgerEntry>;
  /** Why an object without a filled row is refused. Undefined: its rows are taken as they are. */
  readonly #emptyReason: string | undefined;
  readonly #changed: ChangedObjects;

  constructor(options: ObjectBatchOptions, read: EngineRead) {
    const { partition, objects, source } = options;
    const [first, ...others] = objects.map(({ name }) => name);
    this.partition = partition.name;
    this.next = String(partition.next);
    this.label = others.length === 0 ? `${first}` : `${first} and ${others.length} more`;
    this.bytes = sumOfBytes(objects);
    this.secrets = source.secrets;
    this.#options = options;
    this.#read = read;
    this.#settings = engineSettings(read);
    this.#emptyReason = emptyReason(read.fields, read.format);
    this.#planned = new Map(objects.map((object) => [object.name, object]));
    this.items = [...this.#planned.keys()];
    this.#changed = new ChangedObjects(
      source,
      this.#planned,
      (name) => this.#isLastTry(name),
      read.source.compression,
    );
  }

  async load(stage: SelectStage, names: readonly string[]): Promise<ItemOutcome[]> {
    const reason = this.#refusal;
    if (reason !== undefined) {
      return names.map((name) => ({ name, state: 'refused', rows: 0, reason }));
    }
    if (this.#options.context.purpose === 'sample') {
      return this.#loadSample(stage, names);
    }
    const withVersions = this.#wantsVersions && (await stage.hasSetting(validateVersions));
    let looked: ReadonlyMap<string, string> | undefined;
    const lookAgain = async (): Promise<void> => {
      looked = await this.#changed.look(names, stage.signal);
    };
    const counts = await stage.insert({
      source: engineSource(this.#read, names, withVersions),
      settings: join(
        [
          sql`max_bytes_to_read = ${this.#bytesMax(names)}, read_overflow_mode = 'throw'`,
          ...(withVersions ? [sql`s3_validate_etag_on_read = 1`] : []),
          this.#settings,
        ],
        ', ',
      ),
      count: { ...countByPath, ...(withVersions && { version: sql`_etag` }) },
      isOneItem: names.length === 1,
      ...(!withVersions && { onRead: lookAgain }),
    });
    const countOf = (name: string): RowCount | undefined => counts.get(this.#pathOf(name));
    const versions = new Map(
      names.flatMap((name) => {
        const version = countOf(name)?.version;
        return version === undefined ? [] : [[name, version] as const];
      }),
    );
    const changed = await this.#changed.find(names, { versions, looked }, stage.signal);
    return names.map((name) => this.#outcome(name, countOf(name), changed.get(name)));
  }

  suspects({ message }: Error, names: readonly string[]): readonly string[] {
    const suspect = names.find((name) => namesObject(message, name, this.#pathOf(name)));
    return suspect === undefined ? [] : [suspect];
  }

  outcomeOf(error: Error, name: string): ItemOutcome {
    const blame = blameObject(error, this.#bytesMax([name]), this.#isLastTry(name));
    return { name, rows: 0, ...blame };
  }

  async recordOutcomes(outcomes: readonly ItemOutcome[], stage: SelectStage): Promise<boolean> {
    const [first] = outcomes;
    if (first && outcomes.every(({ unreached }) => unreached !== undefined)) {
      // A source that refuses these objects and gives others is not away: these are at fault.
      const areAtFault =
        outcomes.every(({ unreached }) => unreached === 'refused') &&
        (await this.#canReadOthers(stage));
      if (!areAtFault) {
        throw new ConnectionLost(`no object can be fetched: ${first.reason}`);
      }
    }
    return (await this.#options.partition.ledger?.recordOutcomes(this.next, outcomes)) ?? true;
  }

  async recordedOutcomes(): Promise<ItemOutcome[]> {
    const entries = (await this.#options.partition.ledger?.batch(this.next)) ?? [];
    return entries.map(({ name, state, rows, reason }) => ({
      name,
      state: state === 'planned' ? 'waiting' : state,
      rows,
      reason,
    }));
  }

  /** Reads the rows only: nothing is recorded, so a change of the object does not matter. */
  async #loadSample(stage: SelectStage, names: readonly string[]): Promise<ItemOutcome[]> {
    const counts = await stage.insert({
      source: engineSource(this.#read, names),
      settings: this.#settings,
      ...(this.#emptyReason !== undefined && { count: countByPath }),
    });
    return names.map((name) => this.#outcome(name, counts.get(this.#pathOf(name)), undefined));
  }

  #outcome(name: string, count: RowCount | undefined, change: Change | undefined): ItemOutcome {
    if (change !== undefined) {
      return { name, rows: 0, ...change };
    }
    const reason = this.#emptyReason;
    if (count?.filled === 0 && reason !== undefined) {
      return { name, state: 'refused', rows: 0, reason };
    }
    return { name, state: 'loaded', rows: count?.rows ?? 0, reason: null };
  }

  /**
   * Whether the engine can fetch any object that is not of this batch. Content that it cannot read
   * was fetched.
   */
  async #canReadOthers(stage: SelectStage): Promise<boolean> {
    const { source, address, context } = this.#options;
    const others = await someOthers({
      source,
      address,
      signal: stage.signal,
      isWanted: (object) =>
        !this.#planned.has(object.name) &&
        formatOf(object, context.source.format) === this.#read.format,
    });
    for (const name of others) {
      const error = await stage.probe({
        source: sql`(SELECT _path FROM ${engineSource(this.#read, [name])})`,
        settings: this.#settings,
      });
      if (error === undefined || this.outcomeOf(error, name).unreached === undefined) {
        return true;
      }
    }
    return false;
  }

  /** Why none of the objects is to be read. */
  get #refusal(): string | undefined {
    const { format, objects } = this.#options;
    if (format !== undefined) {
      return undefined;
    }
    return objects.some(({ name }) => hasLineBreak(name))
      ? `${lineBreak}, or ${unknownFormat}`
      : unknownFormat;
  }

  /** Small objects of S3 bring their version with their rows: less work than a look at each. */
  get #wantsVersions(): boolean {
    return (
      this.#read.address.kind === 's3' &&
      this.#read.cluster === undefined &&
      this.bytes <= this.#options.objects.length * smallBytes
    );
  }

  #pathOf(name: string): string {
    return enginePath(this.#read.address, name);
  }

  /** Decompressed bytes that these objects may give before they count as a bomb. */
  #bytesMax(names: readonly string[]): number {
    const allowed = this.#read.format === 'Parquet' ? expansion.columns : expansion.text;
    const objects = names.flatMap((name) => this.#planned.get(name) ?? []);
    return allowed.bytes + allowed.times * sumOfBytes(objects);
  }

  #isLastTry(name: string): boolean {
    return (this.#planned.get(name)?.tries ?? 0) + 1 >= triesMax;
  }
}

const countByPath = { item: sql`_path`, filled: sql`_filled` };

function sumOfBytes(objects: readonly { bytes: number }[]): number {
  return objects.reduce((sum, { bytes }) => sum + bytes, 0);
}
