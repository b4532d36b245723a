import { finished, PassThrough, type Readable } from 'node:stream';
import { TelemetryError, type Column, type TakeRows, type Value } from '../../ports/telemetry.ts';
import { engineError } from './engine-errors.ts';

/** One row a line, after a line of names and a line of types. */
export const streamFormat = 'JSONCompactEachRowWithNamesAndTypes';

/** How much of a response is read before its rows are taken. */
const aheadBytes = 256 * 1024;
/** Longest text of a failure that is kept. */
const failureMax = 16_384;

/**
 * Hands the rows of a response over, block by block. After `halted` it only reads on to the end, so
 * that the caller learns when the engine has stopped.
 * @throws TelemetryError if the engine failed in the middle, or the response is not whole
 */
export async function readRowStream(
  stream: Readable,
  take: TakeRows,
  halted: AbortSignal,
): Promise<void> {
  const { pieces, broken } = piecesOf(stream);
  const lines = new RowLines();
  for await (const text of wholeLines(pieces)) {
    const rows = lines.read(text);
    if (rows.length > 0 && !halted.aborted) {
      await orHalted(take(rows, lines.columns), halted);
    }
  }
  if (halted.aborted) {
    throw new TelemetryError('aborted', 'stopped before the last row');
  }
  lines.end();
  const failure = broken();
  if (failure) {
    throw engineError(failure);
  }
}

/**
 * The pieces of a response. If its connection breaks, the pieces that have arrived still come: they
 * may say why.
 */
function piecesOf(stream: Readable): {
  pieces: AsyncIterable<Buffer>;
  broken(): Error | null | undefined;
} {
  const pieces = new PassThrough({ highWaterMark: aheadBytes });
  let failure: Error | null | undefined;
  finished(stream, (error) => {
    failure = error;
    pieces.end();
  });
  pieces.once('close', () => stream.destroy());
  stream.pipe(pieces);
  return { pieces, broken: () => failure };
}

/** Reads lines as rows. The engine writes a failure after the rows that it has sent already. */
class RowLines {
  #names: string[] | undefined;
  #columns: Column[] | undefined;
  #failure = '';

  get columns(): readonly Column[] {
    return this.#columns ?? [];
  }

  read(lines: readonly string[]): Value[][] {
    const rows: Value[][] = [];
    for (const line of lines) {
      const row = this.#failure === '' ? rowOf(line) : undefined;
      if (row === undefined) {
        this.#failure = `${this.#failure}${line}\n`.slice(0, failureMax);
      } else if (this.#names === undefined) {
        this.#names = row.map(String);
      } else if (this.#columns === undefined) {
        this.#columns = this.#names.map((name, index) => ({ name, type: String(row[index]) }));
      } else {
        rows.push(row);
      }
    }
    return rows;
  }

  end(): void {
    if (this.#failure !== '') {
      // Before the engine's own text may stand the head of a row.
      const [text = ''] = /Code: \d+[^]*$/.exec(this.#failure) ?? [];
      throw engineError(new Error(`the engine's response is not whole. ${text}`));
    }
    if (this.#columns === undefined) {
      throw new TelemetryError('unavailable', 'the engine sent no result');
    }
  }
}

function rowOf(line: string): Value[] | undefined {
  if (!line.startsWith('[')) {
    return undefined;
  }
  try {
    return JSON.parse(line) as Value[];
  } catch {
    return undefined;
  }
}

/** The lines of each chunk; the last one stands alone if no line break ends it. */
async function* wholeLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  let rest: Buffer[] = [];
  for await (const chunk of pieces) {
    const end = chunk.lastIndexOf(0x0a);
    if (end === -1) {
      rest.push(chunk);
      continue;
    }
    const text = Buffer.concat([...rest, chunk.subarray(0, end)]).toString();
    rest = [chunk.subarray(end + 1)];
    yield text.split('\n');
  }
  const last = Buffer.concat(rest).toString();
  if (last !== '') {
    // A row ends with a line break: this is a failure, or the head of a row.
    yield [`not a whole row: ${last}`];
  }
}

/** Waits for the work, or until it does not matter any more. */
async function orHalted(work: Promise<void>, halted: AbortSignal): Promise<void> {
  let stop = (): void => {};
  const over = new Promise<void>((resolve) => {
    stop = resolve;
    halted.addEventListener('abort', stop, { once: true });
  });
  if (halted.aborted) {
    stop();
  }
  try {
    await Promise.race([work, over]);
  } finally {
    halted.removeEventListener('abort', stop);
  }
}
