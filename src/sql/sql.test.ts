import { describe, expect, it } from 'vitest';
import { identifier, join, literal, qualified, sql } from './sql.ts';

describe('sql', () => {
  it.each([
    ['plain', "'plain'"],
    ["it's", "'it\\'s'"],
    ['back\\slash', "'back\\\\slash'"],
    ["\\'; DROP TABLE t; --", "'\\\\\\'; DROP TABLE t; --'"],
    ['nul\0 new\nline', "'nul\\0 new\\nline'"],
    ['grüße 🙂 {x:String}', "'grüße 🙂 {x:String}'"],
    ['lone \ud800', "'lone \ufffd'"],
    [42, '42'],
    [1.5e300, '1.5e+300'],
    [Number.NaN, 'nan'],
    [-Infinity, '-inf'],
    [2n ** 63n, '9223372036854775808'],
    [true, 'true'],
    [null, 'NULL'],
  ])('a value cannot leave its literal: %s', (value, text) => {
    expect(literal(value).text).toBe(text);
    expect(sql`SELECT ${value}`.text).toBe(`SELECT ${text}`);
  });

  it('a name cannot leave its backquotes', () => {
    expect(identifier('a`; DROP').text).toBe('`a\\`; DROP`');
    expect(qualified('db', 'ta.ble').text).toBe('`db`.`ta.ble`');
    expect(() => identifier('')).toThrow(TypeError);
  });

  it('pieces go in unquoted, values quoted', () => {
    expect(
      sql`SELECT ${join([identifier('a'), identifier('b')], ', ')} WHERE a = ${"x'"}`.text,
    ).toBe("SELECT `a`, `b` WHERE a = 'x\\''");
  });
});
