import type { Socket } from 'node:net';
import type { Client } from 'pg';
import { frame, FrameReader } from './frame-reader.ts';

/** What the server refused, by its code (SQLSTATE). Its text may quote data: it is for deciding, not for showing. */
export class ServerRefused extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'ServerRefused';
    this.code = code;
  }
}

/** So much may wait to be taken before the socket is not read any more. */
const heldMax = 1 << 20;

/**
 * A connection whose bytes are read by ourselves: for COPY and replication, where an object for each row costs more than all the rest. Made
 * from a client that has just connected, and is not used any more otherwise.
 */
export class RawConnection {
  readonly frames = new FrameReader();
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #chunks: Buffer[] = [];
  #held = 0;
  #ended = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  #receivedMs = performance.now();

  constructor(client: Client) {
    this.#client = client;
    const socket = (this.#socket = (
      client as unknown as { connection: { stream: Socket } }
    ).connection.stream);
    socket.removeAllListeners('data');
    socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#receivedMs = performance.now();
      this.#held += chunk.length;
      if (this.#held > heldMax) {
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

  /** Nothing has arrived that was not taken. */
  get drained(): boolean {
    return this.#chunks.length === 0;
  }

  /** How long the server has said nothing although it was listened to. */
  get silentMs(): number {
    return this.drained ? performance.now() - this.#receivedMs : 0;
  }

  /** Ends the connection with this reason. */
  cut(reason: Error): void {
    this.#failure ??= reason;
    this.#socket.destroy();
  }

  /** Asks for one command of the simple protocol. */
  ask(text: string): void {
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

  /** Waits for more bytes; what came goes to `frames`. @throws Error when the connection ended. */
  async more(): Promise<void> {
    while (this.#chunks.length === 0) {
      if (this.#ended) {
        throw (
          this.#failure ??
          Object.assign(new Error('the server closed the connection'), { code: 'ECONNRESET' })
        );
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const chunk = this.#chunks.shift()!;
    this.#held -= chunk.length;
    if (this.#held <= heldMax / 2 && this.#socket.isPaused()) {
      this.#socket.resume();
    }
    this.frames.feed(chunk);
  }

  /** The next message that is neither a notice nor an error. @throws ServerRefused */
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

  /** The error message that `frames` stands on. */
  refusal(): ServerRefused {
    const { buffer, start, end } = this.frames;
    const fields = buffer.toString('utf8', start, end).split('\0');
    const field = (letter: string): string =>
      fields.find((one) => one.startsWith(letter))?.slice(1) ?? '';
    return new ServerRefused(field('C'), field('M'));
  }

  /** Runs a command and answers its rows as text. @throws ServerRefused */
  async run(text: string): Promise<(string | null)[][]> {
    this.ask(text);
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
    let at = start + 2;
    return Array.from({ length: buffer.readInt16BE(start) }, () => {
      const length = buffer.readInt32BE(at);
      at += 4;
      if (length < 0) {
        return null;
      }
      at += length;
      return buffer.toString('utf8', at - length, at);
    });
  }
}
