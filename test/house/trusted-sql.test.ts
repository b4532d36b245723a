import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/**
 * `trusted` turns text into SQL as it is. Each file here has been read for what it lets through; a
 * new one is a review of its own: what can a caller put into the text, and who has parsed it?
 */
const reviewed: Record<string, string> = {
  'src/core/query/emit/emit-expression.ts':
    'operators, units, digits and function names of the expression tree, all from our own lists',
  'src/core/query/emit/emit-condition.ts': 'comparison signs of the condition tree',
  'src/core/pipes/tables/column-type.ts':
    'type names of letters, digits and underscores, and whole numbers, read token by token',
  'src/core/pipes/load/records/find-bad-rows.ts':
    'column types as the engine itself reports them for the destination table',
  'src/core/pipes/tables/prepare-shards.ts':
    'the definition of a table that keeps rows or nothing, as the engine of another shard wrote it',
  'src/core/pipes/tables/row-slots.ts': 'sorting keys of tables, as the engine wrote them',
  'src/adapters/telemetry/shards/distributed-tables.ts':
    'the engine of a Distributed table over our own tables, as the server wrote it',
  'src/adapters/telemetry/tables/schema.ts': 'table declarations written in that folder',
};

function files(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      return files(path);
    }
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : [];
  });
}

const callers = files('src').filter(
  (path) =>
    path !== 'src/sql/sql.ts' && /\btrusted\b[^;]*sql\/sql\.ts/.test(readFileSync(path, 'utf8')),
);

it('every caller of trusted() has been reviewed', () => {
  expect(callers.filter((path) => !(path in reviewed))).toEqual([]);
});

it('no reviewed file has gone or stopped calling it', () => {
  expect(Object.keys(reviewed).filter((path) => !callers.includes(path))).toEqual([]);
});

it('nobody makes Sql in another way', () => {
  const makers = files('src').filter(
    (path) =>
      path !== 'src/sql/sql.ts' &&
      /new Sql\(|as unknown as Sql\b|Object\.create\(Sql/.test(readFileSync(path, 'utf8')),
  );
  expect(makers).toEqual([]);
});
