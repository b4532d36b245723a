import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TelemetryError, type Column, type Value } from '../../ports/telemetry.ts';
import { readRowStream } from './row-stream.ts';

const rows: Value[][] = [
  ['grün\n"quoted"', '18446744073709551615', null],
  ['', '0', [1, { a: 'ß' }]],
];
const head = [
  ['text', 'number', 'rest'],
  ['String', 'UInt64', 'Tuple(…)'],
];
const whole = [...head, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('');
const never = new AbortController().signal;

/** A response that comes in pieces, and may break at its end. */
function inPieces(bytes: Buffer, cuts: readonly number[], failure?: Error): Readable {
  const places = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b);
  async function* pieces(): AsyncGenerator<Buffer> {
    let from = 0;
    for (const place of [...places, bytes.length]) {
      yield bytes.subarray(from, place);
      from = place;
    }
    if (failure) {
      throw failure;
    }
  }
  return Readable.from(pieces());
}

async function collect(
  text: string,
  cuts: readonly number[] = [],
  failure?: Error,
): Promise<Value[][]> {
  const taken: Value[][] = [];
  const take = async (some: Value[][]): Promise<void> => {
    taken.push(...some);
  };
  await readRowStream(inPieces(Buffer.from(text), cuts, failure), take, never);
  return taken;
}

test('rows come whole, wherever the response is cut into pieces', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (cuts) => {
      expect(await collect(whole, cuts)).toEqual(rows);
    }),
  );
});

test('the columns come with the rows', async () => {
  let seen: readonly Column[] = [];
  const take = async (_: Value[][], columns: readonly Column[]): Promise<void> => {
    seen = columns;
  };
  await readRowStream(inPieces(Buffer.from(whole), []), take, never);
  expect(seen).toEqual([
    { name: 'text', type: 'String' },
    { name: 'number', type: 'UInt64' },
    { name: 'rest', type: 'Tuple(…)' },
  ]);
});

test('a part of a response never passes for the whole', async () => {
  const bytes = Buffer.from(whole);
  const ends = [...bytes.keys()].filter((index) => bytes[index - 1] !== 0x0a);
  for (const end of ends) {
    const taken = collect(bytes.subarray(0, end).toString('latin1'));
    await expect(taken, `cut at ${end}`).rejects.toBeInstanceOf(TelemetryError);
  }
});

test.each([
  ['after a row', ''],
  ['in a row', '["half of a r'],
  ['in a row, with a line break', '["half of a r\r\n__exception__\r\n'],
])('a failure %s is the failure of the stream', async (_, before) => {
  const failure = `${whole}${before}Code: 241. DB::Exception: memory limit exceeded\n`;
  const error: unknown = await collect(failure).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ kind: 'memory' });
  expect(String(error)).not.toContain('half of a r');
});

test('a connection that breaks after a row is a failure, and the engine’s reason is kept', async () => {
  const reset = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  await expect(collect(whole, [], reset)).rejects.toMatchObject({ kind: 'unavailable' });
  const reason = `${whole}Code: 241. DB::Exception: memory limit exceeded\n`;
  await expect(collect(reason, [3], reset)).rejects.toMatchObject({ kind: 'memory' });
});

test('after a halt the response is read to its end, and nothing more is taken', async () => {
  const halt = new AbortController();
  let taken = 0;
  const take = async (): Promise<void> => {
    taken += 1;
    halt.abort();
    await new Promise(() => {});
  };
  const cuts = [...Buffer.from(whole).keys()].filter((index) => index % 20 === 0);
  const stopped = readRowStream(inPieces(Buffer.from(whole), cuts), take, halt.signal);
  await expect(stopped).rejects.toMatchObject({ kind: 'aborted' });
  expect(taken).toBe(1);
});
