import { Fault } from '../../contract/errors.ts';

/** What JSON.parse is given at most: this takes it some tens of milliseconds. */
const maxDepth = 64;
const maxValues = 50_000;
const maxNumberBytes = 1000;
/**
 * Objects with other names, or other orders of names, cost JSON.parse ten times as much: the engine
 * makes a hidden class for each.
 */
const maxShapes = 5000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/**
 * Counts the structure of a JSON text, before JSON.parse makes objects of it. It does not check the
 * syntax.
 */
export class JsonStructure {
  private readonly text: Uint8Array;
  private index = 0;
  private values = 0;
  private numberBytes = 0;
  private depth = 0;
  private inString = false;
  private nameHash = 0;
  /** By depth: hash of the names of the object so far. */
  private readonly names = new Int32Array(maxDepth + 1);
  private readonly shapes = new Set<number>();

  constructor(text: Uint8Array) {
    this.text = text;
  }

  /** Reads some bytes more. Returns whether all are read. @throws Fault beyond a limit. */
  read(bytes: number): boolean {
    const end = Math.min(this.text.length, this.index + bytes);
    for (; this.index < end; this.index++) {
      const byte = this.text[this.index]!;
      if (this.inString) {
        this.stringByte(byte);
      } else {
        this.byte(byte);
      }
    }
    return this.index >= this.text.length;
  }

  private stringByte(byte: number): void {
    if (byte === BACKSLASH) {
      this.index++;
    } else if (byte === QUOTE) {
      this.inString = false;
    } else {
      this.nameHash = (Math.imul(this.nameHash, 31) + byte) | 0;
    }
  }

  private byte(byte: number): void {
    // `[` and `{` differ in one bit, as `]` and `}` do.
    const bracket = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) {
      if (++this.numberBytes > maxNumberBytes) {
        throw new Fault('bad_request', `the body has a number of over ${maxNumberBytes} digits`);
      }
      return;
    }
    this.numberBytes = 0;
    if (byte === QUOTE) {
      this.inString = true;
      this.nameHash = 0;
    } else if (byte === COLON) {
      this.name();
    } else if (byte === COMMA) {
      this.value();
    } else if (bracket === 0x7b) {
      this.value();
      this.open();
    } else if (bracket === 0x7d) {
      this.depth--;
    }
  }

  private open(): void {
    if (++this.depth > maxDepth) {
      throw new Fault('bad_request', `the body is nested deeper than ${maxDepth} levels`);
    }
    this.names[Math.max(0, this.depth)] = 0;
  }

  private value(): void {
    if (++this.values > maxValues) {
      throw new Fault('payload_too_large', `the body has more than ${maxValues} values`);
    }
  }

  private name(): void {
    const depth = Math.max(0, this.depth);
    const shape = (Math.imul(this.names[depth]!, 0x01000193) ^ this.nameHash) | 0;
    this.names[depth] = shape;
    this.shapes.add(shape);
    if (this.shapes.size > maxShapes) {
      throw new Fault(
        'payload_too_large',
        `the body has more than ${maxShapes} different names or combinations of names`,
      );
    }
  }
}
