import { describe, expect, it } from 'vitest';
import { fieldStructure } from './field-structure.ts';

const fields = (...pairs: [name: string, type: string][]): { name: string; type: string }[] =>
  pairs.map(([name, type]) => ({ name, type }));

describe('what is read of objects', () => {
  it.each([
    [
      'dots lead into tuples',
      'JSONEachRow',
      fields(['id', 'String'], ['a.b', 'String'], ['a.c.d', 'Date']),
      '`id` String, `a` Tuple(`b` String, `c` Tuple(`d` Date))',
      "`id`, tupleElement(`a`, 'b') AS `a.b`, tupleElement(tupleElement(`a`, 'c'), 'd') AS " +
        '`a.c.d`, _path, 1 AS _filled',
    ],
    [
      'integers are read wide and cast strictly',
      'JSONEachRow',
      fields(['id', 'UInt64'], ['a.b', 'Array(Nullable(Int8))']),
      '`id` Int256, `a` Tuple(`b` Array(Nullable(Int256)))',
      "accurateCast(`id`, 'UInt64') AS `id`, accurateCast(tupleElement(`a`, 'b'), " +
        "'Array(Nullable(Int8))') AS `a.b`, _path, 1 AS _filled",
    ],
    [
      'and so in Parquet',
      'Parquet',
      fields(['a.b', 'String']),
      '`a` Tuple(`b` String)',
      "tupleElement(`a`, 'b') AS `a.b`, _path, 1 AS _filled",
    ],
    [
      'in Avro a name with dots is a path',
      'Avro',
      fields(['a.b', 'String'], ['id', 'Date']),
      '`a.b` String, `id` Date',
      '`a.b`, `id`, _path, 1 AS _filled',
    ],
    [
      'Avro has no integers of more than 64 bits',
      'Avro',
      fields(['id', 'UInt64'], ['n', 'LowCardinality(Nullable(UInt8))']),
      '`id` UInt64, `n` Nullable(Int64)',
      "`id`, accurateCast(`n`, 'LowCardinality(Nullable(UInt8))') AS `n`, _path, 1 AS _filled",
    ],
    [
      'in lines it is a plain name',
      'CSV',
      fields(['a.b', 'String']),
      '`a.b` String',
      '`a.b`, _path, 1 AS _filled',
    ],
    [
      'places in a line may have gaps',
      'TabSeparated',
      fields(['c3', 'UUID'], ['c1', 'Date']),
      '`c1` Date, `c2` String, `c3` UUID',
      '`c3`, `c1`, _path, 1 AS _filled',
    ],
    [
      'a header tells what is there',
      'CSVWithNames',
      fields(['id', 'UInt64'], ['tags', 'Array(String)']),
      '`id` Nullable(Int256), `tags` Array(String)',
      "accurateCast(`id`, 'Nullable(UInt64)') AS `id`, `tags`, _path, `id` IS NOT NULL AS _filled",
    ],
    [
      'virtual fields are not in the objects',
      'JSONEachRow',
      fields(['_file', 'String'], ['_path', 'String']),
      '`-` String',
      '`_file`, _path, 1 AS _filled',
    ],
    [
      'names are quoted',
      'JSONEachRow',
      fields(['a` String) --', 'String'], ["x.'y", 'String']),
      "`a\\` String) --` String, `x` Tuple(`'y` String)",
      "`a\\` String) --`, tupleElement(`x`, '\\'y') AS `x.'y`, _path, 1 AS _filled",
    ],
  ] as const)('%s', (_title, format, read, text, select) => {
    const structure = fieldStructure(read, format);
    expect({ text: structure.text, select: structure.select.text }).toEqual({ text, select });
  });
});
