import { expect, test } from 'vitest';
import { createCompiler, statement } from './statement.ts';

const touch = statement<{ id: string; usedAtMs: number }>()(({ global, now }, { id, usedAtMs }) =>
  global
    .updateTable('access_keys')
    .set({ used_at_ms: usedAtMs, created_at_ms: now })
    .where('id', '=', id)
    .where('used_at_ms', '<', usedAtMs),
);

test('values go where their stand-ins stood, each as often as it was used, and never into the text', () => {
  const compiler = createCompiler('sqlite', () => 7);
  const hostile = `'; drop table "users"; --`;
  const { text, values, reads } = compiler.bind(touch, { id: hostile, usedAtMs: 5 });
  expect(values).toEqual([5, 7, hostile, 5]);
  expect(text).not.toContain('drop');
  expect(reads).toBe(false);
});

test('a statement is compiled once for each compiler', () => {
  let built = 0;
  const counted = statement<{ id: string }>()(({ global }, { id }) => {
    built++;
    return global.selectFrom('users').select('id').where('id', '=', id);
  });
  const compiler = createCompiler('postgres');
  expect(compiler.bind(counted, { id: 'a' })).toEqual({
    text: 'select "id" from "users" where "id" = $1',
    values: ['a'],
    reads: true,
    name: 'sightline_0',
  });
  expect(compiler.bind(counted, { id: 'b' }).values).toEqual(['b']);
  expect(built).toBe(1);
});

test("the time is the database's own on PostgreSQL, and a clock's where one is given", () => {
  expect(createCompiler('postgres').bind(touch, { id: 'a', usedAtMs: 5 }).text).toContain(
    'clock_timestamp()',
  );
  expect(
    createCompiler('postgres', () => 7).bind(touch, { id: 'a', usedAtMs: 5 }).values,
  ).toContain(7);
});

test('a read that locks rows is not taken for one that can run anywhere', () => {
  const { queries, compile } = createCompiler('postgres');
  const users = queries.global.selectFrom('users').select('id');
  expect(compile(users).reads).toBe(true);
  for (const locking of [
    users.forUpdate(),
    users.forShare(),
    users.forNoKeyUpdate(),
    users.forKeyShare(),
    users.forUpdate().skipLocked(),
  ]) {
    expect(compile(locking).reads).toBe(false);
  }
});

test('a missing value and a spread of stand-ins are mistakes that say what they are', () => {
  const compiler = createCompiler('sqlite', () => 0);
  expect(() => compiler.bind(touch, { id: 'a' } as never)).toThrow(/usedAtMs is missing/);
  const spread = statement<{ id: string }>()(({ global }, values) =>
    global.insertInto('users').values({ ...values } as never),
  );
  expect(() => compiler.bind(spread, { id: 'a' })).toThrow(/name each column/);
});

test('values bound by position are the values bound by name, and are checked like them', () => {
  const compiler = createCompiler('sqlite');
  const insert = statement<{ id: string; version: number }>()(({ global }, { id, version }) =>
    global.insertInto('alert_disabled_webhooks').values({ webhook_id: id, version }),
  );
  const bind = compiler.binder(insert);
  expect(bind(['a', 1])).toEqual(compiler.bind(insert, { id: 'a', version: 1 }));
  expect(() => bind(['a'])).toThrow('the statement takes 2 values, not 1');
  expect(() => bind(['a\0', 1])).toThrow('U+0000');
});
