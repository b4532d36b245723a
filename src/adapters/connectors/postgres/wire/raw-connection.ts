import type { Socket } from 'node:net';
import type { Client } from 'pg';
import { frame, FrameReader } from './frame-reader.ts';
import type { Receiver } from './receiver.ts';

/**
 * An error of the server, with its SQLSTATE as `code`. The message may quote data: use it to decide,
 * never show it.
 */
export class ServerRefused extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'ServerRefused';
    this.code = code;
  }
}

/** Bytes that may wait in memory before the socket is paused. */
const waitingBytesMax = 1 << 20;

/**
 * A connection whose bytes we parse ourselves, for COPY and replication: there one object per row
 * would cost more than everything else. It takes over a client that has just connected; do not use
 * that client any more.
 */
export class RawConnection {
  readonly frames = new FrameReader();
  readonly #client: Client;
  readonly #socket: Socket;
  /** The bytes of a chunk stay until the next one. */
  readonly #reusesMemory: boolean;
  readonly #chunks: Buffer[] = [];
  #waitingBytes = 0;
  #ended = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  #receivedMs = performance.now();

  /** @param receiver the client's socket, if it can reuse its memory */
  constructor(client: Client, receiver?: Receiver) {
    this.#client = client;
    this.#reusesMemory = receiver !== undefined;
    receiver?.reuseMemory();
    // The driver does not publish its socket, and has no other way to hand over raw bytes.
    const { connection } = client as unknown as { connection: { stream: Socket } };
    const socket = (this.#socket = connection.stream);
    socket.removeAllListeners('data');
    socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#receivedMs = performance.now();
      this.#waitingBytes += chunk.length;
      if (this.#reusesMemory || this.#waitingBytes > waitingBytesMax) {
        socket.pause();
      }
      this.#wake?.();
    });
    socket.on('error', (error: Error) => {
      this.#failure ??= error;
    });
    socket.on('close', () => {
      this.#ended = true;
      this.#wake?.();
    });
  }

  /** Whether every byte that arrived has been handed to `frames`. */
  get drained(): boolean {
    return this.#chunks.length === 0;
  }

  /** Time since the last byte, if nothing waits to be read. */
  get silentMs(): number {
    return this.drained ? performance.now() - this.#receivedMs : 0;
  }

  /** Closes the connection; readers get this error. */
  cut(reason: Error): void {
    this.#failure ??= reason;
    this.#socket.destroy();
  }

  /** Sends one command of the simple query protocol. */
  send(text: string): void {
    const body = Buffer.from(`${text}\0`);
    const message = Buffer.alloc(5 + body.length);
    message[0] = 0x51;
    message.writeInt32BE(4 + body.length, 1);
    body.copy(message, 5);
    this.#socket.write(message);
  }

  /** Sends one message of a running COPY. */
  copyData(payload: Buffer): void {
    const head = Buffer.alloc(5);
    head[0] = frame.copyData;
    head.writeInt32BE(4 + payload.length, 1);
    if (this.#socket.writable) {
      this.#socket.write(Buffer.concat([head, payload]));
    }
  }

  /**
   * Waits for more bytes and hands them to `frames`. The bytes from before may change.
   * @throws Error if the connection has ended
   */
  async more(): Promise<void> {
    let chunk = this.#chunks.shift();
    if (!chunk && this.#reusesMemory) {
      this.frames.keep();
      // Resumed at once, the runtime would read up to 32 times in a row. With the decoding, all other
      // work of the process would wait for a tenth of a second and more.
      setImmediate(() => {
        this.#socket.resume();
      });
    }
    while (!chunk) {
      if (this.#ended) {
        throw (
          this.#failure ??
          Object.assign(new Error('the server closed the connection'), { code: 'ECONNRESET' })
        );
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      chunk = this.#chunks.shift();
    }
    this.#waitingBytes -= chunk.length;
    const hasRoom = !this.#reusesMemory && this.#waitingBytes <= waitingBytesMax / 2;
    if (hasRoom && this.#socket.isPaused()) {
      this.#socket.resume();
    }
    this.frames.feed(chunk);
  }

  /** Type of the next message that is neither a notice nor an error. @throws ServerRefused */
  async message(): Promise<number> {
    for (;;) {
      while (!this.frames.next()) {
        await this.more();
      }
      const { type } = this.frames;
      if (type === frame.error) {
        throw this.refusal();
      }
      if (type !== frame.notice) {
        return type;
      }
    }
  }

  /** The error that the current message of `frames` carries. */
  refusal(): ServerRefused {
    const { buffer, start, end } = this.frames;
    const fields = buffer.toString('utf8', start, end).split('\0');
    const field = (letter: string): string =>
      fields.find((text) => text.startsWith(letter))?.slice(1) ?? '';
    return new ServerRefused(field('C'), field('M'));
  }

  /** Runs a command and returns its rows as text. @throws ServerRefused */
  async run(text: string): Promise<(string | null)[][]> {
    this.send(text);
    const rows: (string | null)[][] = [];
    for (;;) {
      const type = await this.message();
      if (type === frame.dataRow) {
        rows.push(this.#row());
      }
      if (type === frame.ready) {
        return rows;
      }
    }
  }

  close(): void {
    this.#ended = true;
    this.#socket.destroy();
    this.#wake?.();
    this.#client.end().catch(() => undefined);
  }

  #row(): (string | null)[] {
    const { buffer, start } = this.frames;
    let offset = start + 2;
    return Array.from({ length: buffer.readInt16BE(start) }, () => {
      const length = buffer.readInt32BE(offset);
      offset += 4;
      if (length < 0) {
        return null;
      }
      offset += length;
      return buffer.toString('utf8', offset - length, offset);
    });
  }
}
