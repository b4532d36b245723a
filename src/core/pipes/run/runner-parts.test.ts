import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PipeState } from '../../../contract/pipe/pipe.ts';
import type { Batch } from '../../../ports/batch.ts';
import type { KindStates } from '../kinds/source-kind.ts';
import { columnType, ColumnTypeError } from '../tables/column-type.ts';
import { objectFault } from '../load/records/json-scan.ts';
import { advanceLifecycle, type PipeEvent } from '../lifecycle.ts';
import { PartitionBuffer } from '../read/partition-buffer.ts';
import { rangeKey } from '../read/range-key.ts';
import { JsonRowWriter } from '../load/records/json-row-writer.ts';

describe('the outer shape of a record', () => {
  it.each([
    '{}',
    ' {"a":1} \n',
    '{"a":"}"}',
    '{"a":"\\""}',
    '{"a":[{"b":"["}]}',
    '{"a":"\\\\"}',
    '{"ü":"✓"}',
  ])('%s is one object', (text) => {
    expect(objectFault(Buffer.from(text))).toBeUndefined();
  });

  it.each([
    '',
    ' ',
    '1',
    '[]',
    '"x"',
    '{',
    '{"a":1',
    '{"a":"x}',
    '{"a":1}{"b":2}',
    '{"a":1},',
    '{"a":1} x',
    '{"a":"\\"}',
    '}',
    'null',
  ])('%j is refused with a reason', (text) => {
    expect(objectFault(Buffer.from(text))).toMatch(/^(the record|not valid JSON)/);
  });

  it('accepts whatever JSON.stringify makes of an object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        (value) => objectFault(Buffer.from(JSON.stringify(value))) === undefined,
      ),
    );
  });

  it('never lets two refused records pass as one', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, index) => {
        const text = Buffer.from(JSON.stringify(value));
        const cut = index % text.length;
        return cut === 0 || objectFault(text.subarray(0, cut)) !== undefined;
      }),
    );
  });

  it('is judged the same with a view of the bytes as without, wherever it lies', () => {
    const bytes = fc.array(
      fc.constantFrom(
        ...Buffer.from('{{}}[]""\\\\a: \n'),
        0x80,
        0xa2,
        0xdc,
        0xff,
        0x21,
        0x23,
        0x5b,
        0x5d,
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(fc.nat(5), bytes, fc.nat(5), (before, middle, after) => {
        // Around it stands what would close or open something, were it looked at.
        const data = Buffer.concat([
          Buffer.alloc(before, '"'),
          Buffer.from([0x7b, 0x22, ...middle]),
          Buffer.alloc(after, '"}'),
        ]);
        const to = data.length - after;
        expect(
          objectFault(data, before, to, new DataView(data.buffer, data.byteOffset, data.length)),
        ).toBe(objectFault(data, before, to));
        expect(objectFault(Buffer.from(data.subarray(before, to)))).toBe(
          objectFault(data, before, to),
        );
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a row writer', () => {
  it('writes any bytes as a JSON string that reads back the same', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const rows = new JsonRowWriter(1);
        rows.jsonString(Buffer.from(text));
        expect(JSON.parse(rows.take().toString('utf8'))).toBe(Buffer.from(text).toString('utf8'));
      }),
    );
  });
});

describe('a column type', () => {
  it.each([
    ['UInt8', 'UInt8'],
    [' Array( Nullable(String)) ', 'Array(Nullable(String))'],
    ['Tuple(a UInt8, b String)', 'Tuple(`a` UInt8, `b` String)'],
    ["Enum8('x' = 1, 'it''s' = -2)", "Enum8('x' = 1, 'it\\'s' = -2)"],
    ["DateTime64(3, 'UTC')", "DateTime64(3, 'UTC')"],
    ['Decimal(18, 2)', 'Decimal(18, 2)'],
    ['Map(String, Array(Int64))', 'Map(String, Array(Int64))'],
    ['AggregateFunction(sum, UInt64)', 'AggregateFunction(sum, UInt64)'],
    ['Nested(`a b` UInt8)', 'Nested(`a b` UInt8)'],
  ])('%s is printed as %s', (text, printed) => {
    expect(columnType(text).text).toBe(printed);
  });

  it.each([
    '',
    'UInt8)',
    'UInt8 DEFAULT 1',
    'UInt8, b UInt8',
    'Array(',
    'Array(String',
    'String) ENGINE = Memory --',
    'String; DROP TABLE x',
    'a.b',
    "Enum8('x' = (SELECT 1))",
    'String /* */',
    `${'Array('.repeat(40)}String${')'.repeat(40)}`,
  ])('%j is refused', (text) => {
    expect(() => columnType(text)).toThrow(ColumnTypeError);
  });
});

describe('the lifecycle', () => {
  const failed: PipeEvent = { kind: 'failed', message: 'because' };
  const states = {
    streaming: { opened: 'Running', resting: 'Stopped' },
    snapshot: { opened: 'Setup', resting: 'Paused' },
  } as const satisfies Record<string, KindStates>;
  it.each<[keyof typeof states, PipeState, PipeEvent, PipeState | undefined]>([
    ['streaming', 'Provisioning', { kind: 'opened' }, 'Running'],
    ['snapshot', 'Provisioning', { kind: 'opened' }, 'Setup'],
    ['snapshot', 'Setup', { kind: 'phase', phase: 'Snapshot' }, 'Snapshot'],
    ['snapshot', 'Snapshot', { kind: 'phase', phase: 'Running' }, 'Running'],
    ['streaming', 'Running', { kind: 'trouble', message: 'm' }, 'Degraded'],
    ['streaming', 'Degraded', { kind: 'recovered' }, 'Running'],
    ['streaming', 'Running', { kind: 'recovered' }, undefined],
    ['streaming', 'Running', failed, 'Failed'],
    ['streaming', 'Degraded', failed, 'Failed'],
    ['streaming', 'Stopping', failed, undefined],
    ['streaming', 'Stopped', { kind: 'trouble', message: 'm' }, undefined],
    ['streaming', 'Running', { kind: 'ended' }, 'Completed'],
    ['streaming', 'Running', { kind: 'stop requested' }, 'Stopping'],
    ['snapshot', 'Running', { kind: 'stop requested' }, 'Pausing'],
    ['streaming', 'Stopping', { kind: 'stopped' }, 'Stopped'],
    ['snapshot', 'Pausing', { kind: 'stopped' }, 'Paused'],
    ['streaming', 'Stopped', { kind: 'stop requested' }, undefined],
    ['streaming', 'Failed', { kind: 'stop requested' }, 'Stopped'],
    ['streaming', 'Stopped', { kind: 'start requested' }, 'Provisioning'],
    ['streaming', 'Failed', { kind: 'start requested' }, 'Provisioning'],
    ['streaming', 'Completed', { kind: 'start requested' }, 'Provisioning'],
  ])('%s: %s and %j leads to %s', (kind, state, event, next) => {
    expect(advanceLifecycle(states[kind], { state, message: null }, event)?.state).toBe(next);
  });
});

describe('a partition buffer', () => {
  const claim = { workspaceId: 'w', pipeId: 'p', partition: '0', epoch: 1 };
  const limits = { rowsMax: 3, rangeRowsMax: 3, bytesMax: 10_000, waitMs: 100 };
  const batch = (next: number, records = 1): Batch => ({
    kind: 'records',
    partition: '0',
    next: String(next),
    bytes: 10,
    records: Array.from({ length: records }, () => ({ position: '0', data: Buffer.from('{}') })),
  });

  it('is due when it has the rows, the bytes, or the age', () => {
    const buffer = new PartitionBuffer(claim, { position: null, until: null, shard: null });
    expect(buffer.due(limits, 0)).toBe(false);
    buffer.add(batch(1), 0);
    expect([
      buffer.due(limits, 99),
      buffer.due(limits, 100),
      buffer.due({ ...limits, bytesMax: 5 }, 0),
    ]).toEqual([false, true, true]);
    buffer.add(batch(3, 2), 50);
    expect(buffer.due(limits, 50)).toBe(true);
    expect(buffer.take()).toMatchObject({ after: null, until: '3', rows: 3 });
    buffer.add(batch(4), 60);
    expect(buffer.take()).toMatchObject({ after: '3', until: '4' });
  });

  it('stores a range of before again exactly, never shorter, whatever its age', () => {
    const buffer = new PartitionBuffer(claim, { position: '10', until: '14', shard: null });
    buffer.add(batch(12, 5), 0);
    expect([buffer.due(limits, 1_000_000), buffer.take()]).toEqual([false, undefined]);
    buffer.add(batch(14), 0);
    expect(buffer.due(limits, 0)).toBe(true);
    expect(buffer.take()).toMatchObject({ after: '10', until: '14', rows: 6 });
    expect(buffer.isRepeating).toBe(false);
  });

  it('goes not past the end of a range of before, however late its turn comes', () => {
    const buffer = new PartitionBuffer(claim, { position: '10', until: '14', shard: null });
    for (const next of [12, 14, 16, 20]) {
      buffer.add(batch(next), 0);
    }
    expect(buffer.take(limits)).toMatchObject({ after: '10', until: '14', rows: 2 });
    expect(buffer.take(limits)).toMatchObject({ after: '14', until: '20', rows: 2 });
    expect([buffer.ready, buffer.bytes]).toEqual([false, 0]);
  });

  it('makes no range much larger than its limits, and loses nothing in between', () => {
    const buffer = new PartitionBuffer(claim, { position: '0', until: null, shard: null });
    for (const next of [2, 4, 6, 8]) {
      buffer.add(batch(next, 2), next);
    }
    expect(buffer.take(limits)).toMatchObject({ after: '0', until: '4', rows: 4 });
    // What waits on is as old as it was.
    expect([
      buffer.due({ ...limits, rowsMax: 100 }, 105),
      buffer.due({ ...limits, rowsMax: 100 }, 106),
    ]).toEqual([false, true]);
    expect(buffer.take(limits)).toMatchObject({ after: '4', until: '8', rows: 4 });
  });

  it('is due early with many rows when the source has nothing more just now', () => {
    const buffer = new PartitionBuffer(claim, { position: '0', until: null, shard: null });
    const large = { ...limits, rowsMax: 100, rangeRowsMax: 100 };
    buffer.add(batch(9, 9), 0);
    expect([buffer.due(large, 1), buffer.due(large, 1, true)]).toEqual([false, false]);
    buffer.add(batch(10), 0);
    expect([buffer.due(large, 1), buffer.due(large, 1, true)]).toEqual([false, true]);
  });

  it('does not wait with the end of a backlog, and waits again after it', () => {
    const buffer = new PartitionBuffer(claim, { position: '0', until: null, shard: null });
    const large = { ...limits, rowsMax: 100, rangeRowsMax: 100 };
    buffer.add(batch(10, 10), 0);
    expect(buffer.take(large)).toMatchObject({ rows: 10 });
    buffer.add(batch(11), 1);
    expect([buffer.due(large, 1), buffer.due(large, 1, true)]).toEqual([false, true]);
    expect(buffer.take(large)).toMatchObject({ rows: 1 });
    buffer.add(batch(12), 2);
    expect([buffer.due(large, 2, true), buffer.due(large, 102, true)]).toEqual([false, true]);
  });

  it('makes a larger range of what has gathered while it stood in line', () => {
    const buffer = new PartitionBuffer(claim, { position: '0', until: null, shard: null });
    for (const next of [2, 4, 6, 8]) {
      buffer.add(batch(next, 2), next);
    }
    const patient = { ...limits, rangeRowsMax: 6 };
    expect(buffer.due(patient, 4)).toBe(true);
    expect(buffer.take(patient)).toMatchObject({ after: '0', until: '6', rows: 6 });
  });

  it('keeps a batch that stands alone by itself, and makes it due at once', () => {
    const buffer = new PartitionBuffer(claim, { position: '0', until: null, shard: null });
    const step: Batch = {
      kind: 'table',
      partition: '0',
      next: '2',
      action: 'truncate',
      target: { table: 't', columns: [], engine: 'MergeTree', sortingKey: [] },
    };
    for (const one of [batch(1), step, batch(3)]) {
      buffer.add(one, 0);
    }
    expect(buffer.due(limits, 0)).toBe(true);
    expect([
      buffer.take(limits)?.until,
      buffer.due(limits, 0),
      buffer.take(limits)?.until,
      buffer.due(limits, 0),
      buffer.take(limits)?.until,
    ]).toEqual(['1', true, '2', false, '3']);
  });
});

describe('a range key', () => {
  it('is the same for the same range and another for any other', () => {
    const key = (...given: Partial<[string, number, string, string | null, string]>): string =>
      rangeKey(given[0] ?? 'p', given[1] ?? 1, given[2] ?? '0', given[3] ?? null, given[4] ?? '9');
    expect(key()).toBe(key());
    expect(
      new Set([
        key(),
        key('q'),
        key('p', 2),
        key('p', 1, '1'),
        key('p', 1, '0', '1'),
        key('p', 1, '0', null, '8'),
      ]).size,
    ).toBe(6);
  });
});
