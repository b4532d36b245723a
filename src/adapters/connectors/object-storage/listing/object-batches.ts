import type { ObjectFormat } from '../../../../contract/pipe/object-storage.ts';
import type { ListedObject } from '../../../../ports/store/object-ledger.ts';

export interface BatchBounds {
  bytesMax: number;
  filesMax: number;
}

export interface ObjectBatch {
  format: ObjectFormat;
  objects: ListedObject[];
}

/**
 * The engine accepts 256 KiB of query. Percent codes triple a character, and the statement has other
 * parts.
 */
const namesBytesMax = 150_000;

const textBytes = (name: string): number => Buffer.byteLength(encodeURIComponent(name)) + 1;

/** Gathers objects of each format into batches, bounded by bytes, files and the size of names. */
export class ObjectBatches {
  readonly #bounds: BatchBounds;
  readonly #open = new Map<
    ObjectFormat,
    { objects: ListedObject[]; bytes: number; textBytes: number }
  >();

  constructor(bounds: BatchBounds) {
    this.#bounds = bounds;
  }

  /**
   * Adds an object. Returns the batches that are full now: the one that it did not fit into, and the
   * one that it filled to the last file.
   */
  add(format: ObjectFormat, object: ListedObject): ObjectBatch[] {
    const { bytesMax, filesMax } = this.#bounds;
    const full: ObjectBatch[] = [];
    const text = textBytes(object.name);
    let open = this.#open.get(format);
    if (open && (open.bytes + object.bytes > bytesMax || open.textBytes + text > namesBytesMax)) {
      full.push({ format, objects: open.objects });
      open = undefined;
    }
    if (!open) {
      this.#open.set(format, (open = { objects: [], bytes: 0, textBytes: 0 }));
    }
    open.objects.push(object);
    open.bytes += object.bytes;
    open.textBytes += text;
    if (open.objects.length < filesMax) {
      return full;
    }
    this.#open.delete(format);
    return [...full, { format, objects: open.objects }];
  }

  /** The batches that are not full. */
  *rest(): Generator<ObjectBatch> {
    const open = [...this.#open];
    this.#open.clear();
    for (const [format, { objects }] of open) {
      yield { format, objects };
    }
  }
}
