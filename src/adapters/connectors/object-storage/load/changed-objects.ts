import type { ObjectStorageSourceInput } from '../../../../contract/pipe/object-storage.ts';
import type { LedgerEntry, ObjectOutcome } from '../../../../ports/store/object-ledger.ts';
import { cutOffStreams } from '../formats/cut-off-streams.ts';
import { isZstd } from '../formats/object-format.ts';
import { lookAgain } from '../listing/look-again.ts';
import type { ObjectSource } from '../stores/object-source.ts';

/** Why the rows that were read of an object must not be kept. */
export type Change = Pick<ObjectOutcome, 'state' | 'reason'>;

export interface KnownETags {
  /** What the engine read, where it tells. */
  versions: ReadonlyMap<string, string>;
  /** What `look` has found of all objects since they were read. Absent: nobody has looked. */
  looked?: ReadonlyMap<string, string> | undefined;
}

const cutOff = 'its zstd stream is truncated or damaged';
const overwritten = 'it is overwritten again and again while it is read';

/** Finds the objects of a batch of which something else was read than was planned. */
export class ChangedObjects {
  readonly #source: Pick<ObjectSource, 'list' | 'look' | 'read'>;
  readonly #planned: ReadonlyMap<string, LedgerEntry>;
  readonly #isLastTry: (name: string) => boolean;
  readonly #compression: ObjectStorageSourceInput['compression'];
  /** zstd streams that were followed to their end: they are not fetched again. */
  readonly #wholeStreams = new Set<string>();

  constructor(
    source: Pick<ObjectSource, 'list' | 'look' | 'read'>,
    planned: ReadonlyMap<string, LedgerEntry>,
    isLastTry: (name: string) => boolean,
    compression: ObjectStorageSourceInput['compression'],
  ) {
    this.#source = source;
    this.#planned = planned;
    this.#isLastTry = isLastTry;
    this.#compression = compression;
  }

  /** The ETags of those of the objects that still exist. @throws ConnectionLost, SourceFailed */
  look(names: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    return lookAgain(this.#source, names, signal);
  }

  /**
   * Called after these objects were read.
   * @throws ConnectionLost, SourceFailed
   */
  async find(
    names: readonly string[],
    { versions, looked: before }: KnownETags,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Change>> {
    // A stream is followed to its end after the load: it must still be what was read then.
    const unknown = names.filter((name) => !versions.has(name) || this.#isStream(name));
    const looked = before ?? (await this.look(unknown, signal));
    const changes = new Map<string, Change>();
    for (const name of names) {
      const change = this.#changeOf(name, looked.get(name) ?? versions.get(name));
      if (change) {
        changes.set(name, change);
      }
    }
    const streams = names.filter(
      (name) => this.#isStream(name) && !changes.has(name) && !this.#wholeStreams.has(name),
    );
    const cut = new Set(await cutOffStreams(this.#source, streams, signal));
    for (const name of streams) {
      if (cut.has(name)) {
        changes.set(name, { state: 'refused', reason: cutOff });
      } else {
        this.#wholeStreams.add(name);
      }
    }
    return changes;
  }

  #changeOf(name: string, etag: string | undefined): Change | undefined {
    if (etag === undefined) {
      return { state: 'gone', reason: null };
    }
    if (bare(etag) === bare(this.#planned.get(name)?.etag ?? '')) {
      return undefined;
    }
    return this.#isLastTry(name)
      ? { state: 'refused', reason: overwritten }
      : { state: 'waiting', reason: null };
  }

  #isStream(name: string): boolean {
    return isZstd(name, this.#compression) && (this.#planned.get(name)?.bytes ?? 0) > 0;
  }
}

/** An ETag is written with quotes or without. */
const bare = (etag: string): string => etag.replace(/^"|"$/g, '');
