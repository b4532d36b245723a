import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PbfReader } from 'pbf';
import type { Corpus } from './log-corpus.ts';

interface LogRecord {
  timeMs: number;
  body: string;
  traceId: string;
}

/** A number in hexadecimal that a program made for one order, payment or session. */
const rareWord = /\b[0-9a-f]{16,}\b/;

/**
 * OTLP requests with log records that somebody has stored, one in each file (protobuf), in the order
 * of their names.
 * @throws Error if no record has a trace id and a rare word, which the searches need
 */
export function recordedCorpus(folder: string): Corpus {
  const names = readdirSync(folder).toSorted();
  const requests = names.map((name) => readFileSync(join(folder, name)));
  let records = 0;
  let [startMs, endMs] = [Infinity, -Infinity];
  let found: LogRecord | undefined;
  for (const [index, request] of requests.entries()) {
    for (const record of recordsOf(request)) {
      records++;
      startMs = Math.min(startMs, record.timeMs);
      endMs = Math.max(endMs, record.timeMs + 1);
      const isRare = record.traceId !== '' && rareWord.test(record.body);
      found = found === undefined && index >= requests.length / 2 && isRare ? record : found;
    }
  }
  if (found === undefined) {
    throw new Error(`no record in ${folder} has a trace id and a rare word`);
  }
  return {
    requests,
    records,
    bytes: requests.reduce((sum, { length }) => sum + length, 0),
    startMs,
    endMs,
    traceId: found.traceId,
    needle: rareWord.exec(found.body)![0],
  };
}

/** Yields what the searches need of each record: ResourceLogs, ScopeLogs, LogRecord in turn. */
function* recordsOf(request: Buffer): Generator<LogRecord> {
  for (const group of messages(request, 1)) {
    for (const scope of messages(group, 2)) {
      for (const record of messages(scope, 2)) {
        yield readRecord(record);
      }
    }
  }
}

function messages(bytes: Uint8Array, field: number): Uint8Array[] {
  return new PbfReader(bytes).readFields((tag: number, found: Uint8Array[], reader: PbfReader) => {
    if (tag === field) {
      found.push(reader.readBytes());
    }
  }, []);
}

function readRecord(bytes: Uint8Array): LogRecord {
  return new PbfReader(bytes).readFields(
    (tag: number, record: LogRecord, reader: PbfReader) => {
      if (tag === 1) {
        record.timeMs = reader.readFixed64() / 1e6;
      } else if (tag === 5) {
        const [text] = messages(reader.readBytes(), 1);
        record.body = text === undefined ? '' : Buffer.from(text).toString();
      } else if (tag === 9) {
        record.traceId = Buffer.from(reader.readBytes()).toString('hex');
      }
    },
    { timeMs: 0, body: '', traceId: '' },
  );
}
