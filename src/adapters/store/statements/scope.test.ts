import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { workspaceTables } from './schema.ts';
import { createCompiler, type Queries } from './statement.ts';

const folder = join(import.meta.dirname, '..');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('migrations'),
  )
  .map((file) => ({ file: basename(file), text: readFileSync(join(folder, file), 'utf8') }));

describe.each(['sqlite', 'postgres'] as const)('queries of a workspace on %s', (dialect) => {
  const { queries, compile } = createCompiler(dialect, () => 0);
  const mine = queries.ofWorkspace('mine');

  test.each(workspaceTables)(
    'whatever is read, changed or deleted in %s carries the condition on the workspace',
    (table) => {
      for (const query of [
        mine.selectFrom(table).selectAll(table),
        mine.updateTable(table).set({} as never),
        mine.deleteFrom(table),
      ]) {
        const { text, values } = compile(query);
        expect(text).toMatch(new RegExp(`where "${table}"\\."workspace_id" = [?$]1?$`));
        expect(values).toEqual(['mine']);
      }
    },
  );

  test.each(workspaceTables)(
    'a row put into %s belongs to the workspace, whatever it says itself',
    (table) => {
      const { text, values } = compile(
        mine.insertInto(table, [{ workspace_id: 'theirs' } as never, {} as never]),
      );
      expect(text).toContain(`insert into "${table}" ("workspace_id")`);
      expect(values).toEqual(['mine', 'mine']);
    },
  );

  test.each(workspaceTables)(
    'a row that the database makes for %s belongs to the workspace',
    (table) => {
      const { text, values } = compile(
        mine.insertSelected(table, { state: sql`given.state` } as never, sql`given`),
      );
      expect(text).toMatch(
        new RegExp(
          `^insert into "${table}" \\("workspace_id", "state"\\) select [?$]1?, given.state from given$`,
        ),
      );
      expect(values).toEqual(['mine']);
    },
  );
});

/**
 * A table of the workspaces cannot be named without one: this does not compile, which `npm run
 * check:types` checks.
 */
export function unscoped(queries: Queries): unknown[] {
  return [
    // @ts-expect-error documents belong to a workspace
    queries.global.selectFrom('documents'),
    // @ts-expect-error documents belong to a workspace
    queries.global.deleteFrom('documents'),
    // @ts-expect-error documents belong to a workspace
    queries.global.updateTable('documents'),
    // @ts-expect-error documents belong to a workspace
    queries.global.insertInto('documents'),
    // @ts-expect-error documents belong to a workspace
    queries.global.selectFrom('users').innerJoin('documents', 'documents.id', 'users.id'),
  ];
}

/**
 * Work that serves every workspace at once: supervisors and the clean-up. A new line here needs a
 * reason.
 */
const mayReadEveryWorkspace = new Set([
  'migrate.ts',
  'scope.ts',
  'statement.ts',
  'alert-deliveries.ts',
  'alert-documents.ts',
  'alert-progress.ts',
  'alert-sweep.ts',
  'alert-writes.ts',
  'row-writer.ts',
  'pipe-intents.ts',
  'pipe-store.ts',
  'secrets.ts',
  'load-snapshot.ts',
  'audit-store.ts',
]);

test('only the stores of supervisors read every workspace', () => {
  const callers = sources
    .filter(({ text }) => text.includes('ofEveryWorkspace'))
    .map(({ file }) => file);
  expect(callers.filter((file) => !mayReadEveryWorkspace.has(file))).toEqual([]);
});

test('a joined table of the workspaces repeats the condition', () => {
  for (const { file, text } of sources) {
    for (const [call, table] of text.matchAll(/\b\w*Join\('(\w+)(?: as \w+)?'[^;]*?;/g)) {
      if (!(workspaceTables as readonly string[]).includes(table ?? '')) {
        continue;
      }
      expect(call, `${file}: ${table}`).toMatch(/workspace_id/);
    }
  }
});

test('nobody turns the queries of no workspace into those of all', () => {
  expect(
    sources.filter(({ text }) => /as unknown as Kysely<Schema>/.test(text)).map(({ file }) => file),
  ).toEqual([]);
});
