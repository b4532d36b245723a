import type { ObjectFormat } from '../../../contract/pipe/object-storage.ts';
import type { ListedObject } from '../../../ports/object-ledger.ts';

export interface BatchBounds {
  bytesMax: number;
  filesMax: number;
}

/** The engine takes 256 KiB of query; percent signs triple what they stand for, and the statement has other parts. */
const namesBytesMax = 150_000;

const textBytes = (name: string): number => Buffer.byteLength(encodeURIComponent(name)) + 1;

/** Gathers objects of one format until so many bytes or files are together. */
export class ObjectBatches {
  readonly #bounds: BatchBounds;
  readonly #open = new Map<ObjectFormat, { objects: ListedObject[]; bytes: number; textBytes: number }>();

  constructor(bounds: BatchBounds) {
    this.#bounds = bounds;
  }

  /** Takes an object; answers the batch that is full without it. */
  add(format: ObjectFormat, object: ListedObject): { format: ObjectFormat; objects: ListedObject[] } | undefined {
    const { bytesMax, filesMax } = this.#bounds;
    const open = this.#open.get(format);
    const text = textBytes(object.name);
    if (open && open.bytes + object.bytes <= bytesMax && open.objects.length < filesMax && open.textBytes + text <= namesBytesMax) {
      open.objects.push(object);
      open.bytes += object.bytes;
      open.textBytes += text;
      return undefined;
    }
    this.#open.set(format, { objects: [object], bytes: object.bytes, textBytes: text });
    return open && { format, objects: open.objects };
  }

  /** What is left. */
  *rest(): Generator<{ format: ObjectFormat; objects: ListedObject[] }> {
    for (const [format, { objects }] of this.#open) yield { format, objects };
    this.#open.clear();
  }
}
