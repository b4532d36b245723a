import { isUtf8 } from 'node:buffer';
import type { BlockMemory, Piece } from './block-memory.ts';
import { ByteWriter } from './byte-writer.ts';

const initialSlots = 64;
/** More would take longer to clear than to allocate. */
const keptSlots = 1024;

/**
 * How many slots a search looks at. Texts chosen to collide are then listed twice, which the engine
 * accepts, instead of making every search slow.
 */
const maxProbes = 16;

/** The different texts of a LowCardinality column, in the order of their first use. */
export class Dictionary implements Piece {
  /** Each text with its length before it. */
  readonly texts: ByteWriter;
  size = 0;
  private starts = new Uint32Array(initialSlots);
  private ends = new Uint32Array(initialSlots);
  /** Number of a text plus one, by its hash; 0 if the slot is free. */
  private slots = new Int32Array(initialSlots);
  private hashes = new Int32Array(initialSlots);

  readonly usedBytes = 0;

  constructor(memory: BlockMemory) {
    this.texts = new ByteWriter(memory);
    memory.add(this);
  }

  get heldBytes(): number {
    return this.slots.length * 16;
  }

  reset(release: boolean): void {
    this.size = 0;
    if (release || this.slots.length > keptSlots) {
      this.starts = new Uint32Array(initialSlots);
      this.ends = new Uint32Array(initialSlots);
      this.slots = new Int32Array(initialSlots);
      this.hashes = new Int32Array(initialSlots);
    } else {
      this.slots.fill(0);
    }
  }

  /** The number of a text. Invalid UTF-8 in it becomes U+FFFD. */
  indexOf(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashOf(bytes, start, end);
    const mask = this.slots.length - 1;
    for (let probe = 0; probe < maxProbes; probe++) {
      const slot = (hash + probe) & mask;
      const index = this.slots[slot]! - 1;
      if (index < 0) {
        return this.add(hash, slot, bytes, start, end);
      }
      if (this.hashes[index] === hash && this.isText(index, bytes, start, end)) {
        return index;
      }
    }
    return this.add(hash, -1, bytes, start, end);
  }

  private isText(index: number, bytes: Uint8Array, start: number, end: number): boolean {
    const { buffer } = this.texts;
    const first = this.starts[index]!;
    const length = end - start;
    if (this.ends[index]! - first !== length) {
      return false;
    }
    for (let offset = 0; offset < length; offset++) {
      if (buffer[first + offset] !== bytes[start + offset]) {
        return false;
      }
    }
    return true;
  }

  private add(hash: number, slot: number, bytes: Uint8Array, start: number, end: number): number {
    const view = bytes.subarray(start, end);
    if (!isUtf8(view)) {
      const valid = Buffer.from(Buffer.from(view).toString('utf8'));
      return this.indexOf(valid, 0, valid.length);
    }
    const index = this.size++;
    if (index >= this.starts.length / 2) {
      this.grow();
      slot = this.freeSlot(hash);
    }
    this.texts.size(end - start);
    this.starts[index] = this.texts.pos;
    this.texts.raw(bytes, start, end);
    this.ends[index] = this.texts.pos;
    this.hashes[index] = hash;
    if (slot >= 0) {
      this.slots[slot] = index + 1;
    }
    return index;
  }

  private grow(): void {
    const length = this.slots.length * 2;
    this.starts = enlarged(this.starts, new Uint32Array(length));
    this.ends = enlarged(this.ends, new Uint32Array(length));
    this.hashes = enlarged(this.hashes, new Int32Array(length));
    this.slots = new Int32Array(length);
    for (let index = 0; index < this.size - 1; index++) {
      const slot = this.freeSlot(this.hashes[index]!);
      if (slot >= 0) {
        this.slots[slot] = index + 1;
      }
    }
  }

  /** -1 if all slots of a search are taken. */
  private freeSlot(hash: number): number {
    const mask = this.slots.length - 1;
    for (let probe = 0; probe < maxProbes; probe++) {
      const slot = (hash + probe) & mask;
      if (this.slots[slot] === 0) {
        return slot;
      }
    }
    return -1;
  }
}

function enlarged<T extends Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** FNV-1a, mixed so that the low bits depend on all of it. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = -2128831035;
  for (let index = start; index < end; index++) {
    hash = Math.imul(hash ^ bytes[index]!, 16777619);
  }
  return hash ^ (hash >>> 15);
}
