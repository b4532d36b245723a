import { describe, expect, it } from 'vitest';
import { createCompiler } from '../statements/statement.ts';
import { migrations } from './index.ts';

const dialects = ['sqlite', 'postgres'] as const;
const harmless =
  /^(?:create (?:table|index) "|alter table "\w+" add column "\w+" \w+(?: default .+)?$)/;

describe('the steps of the store', () => {
  it('have names of their own', () => {
    const names = migrations.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(dialects)('that older processes survive only add something: %s', (dialect) => {
    const { queries } = createCompiler(dialect);
    const data = queries.ofEveryWorkspace();
    const steps = migrations.filter(({ kind }) => kind === 'expand');
    expect(steps.length).toBeGreaterThan(0);
    for (const { name, up } of steps) {
      for (const query of up({ schema: data.schema, data, dialect })) {
        expect(query.compile().sql, name).toMatch(harmless);
      }
    }
  });

  it.each([
    ['a column that must have a value', 'alter table "a" add column "b" text not null'],
    ['a column that goes', 'alter table "a" drop column "b"'],
    ['a table that goes', 'drop table "a"'],
    ['keys that must be unique', 'create unique index "a" on "b" ("c")'],
    ['rows that change', 'update "a" set "b" = 1'],
  ])('would be refused with %s', (_, statement) => {
    expect(statement).not.toMatch(harmless);
  });
});
