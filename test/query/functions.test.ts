import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  allowedFunctions,
  lambdaFunctions,
  volatileFunctions,
} from '../../src/core/query/expression/functions.ts';
import { parseExpression } from '../../src/core/query/expression/parse-expression.ts';
import { anyField } from '../../src/core/query/fields/fields.ts';
import { sql } from '../../src/sql/sql.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';
import { hostileExpressions } from './hostile-corpus.ts';

let kit: TestTelemetry;
beforeAll(async () => {
  kit = await openTestTelemetry();
});
afterAll(() => kit.close());

describe('the functions that expressions may name', () => {
  it('all exist in the engine, none of them an aggregate', async () => {
    const rows = await kit.rows(
      sql`SELECT name, is_aggregate, case_insensitive FROM system.functions`,
    );
    const known = new Map(
      rows.map(({ name, is_aggregate }) => [String(name), Number(is_aggregate)]),
    );
    const names = [...allowedFunctions().values()].map(({ name }) => name);
    expect(names.filter((name) => known.get(name) !== 0)).toEqual([]);
    expect(
      [...lambdaFunctions, ...volatileFunctions].filter((name) => !names.includes(name)),
    ).toEqual([]);
  });

  it.each([
    'sleep',
    'file',
    'getSetting',
    'hostName',
    'currentUser',
    'dictGet',
    'joinGet',
    'repeat',
    'range',
    'arrayJoin',
    'throwIf',
    'getMacro',
    'arrayReduce',
    'initializeAggregation',
    'addressToLine',
    'rand',
    'version',
    'catboostEvaluate',
    'arrayWithConstant',
    'leftPad',
    'space',
    'filesystemAvailable',
  ])('%s is not one of them', (name) => {
    expect(allowedFunctions().has(name.toLowerCase())).toBe(false);
  });
});

/**
 * What of the corpus is an expression after all, and harmless: it names no function that reads,
 * waits or counts.
 */
const harmless = /^[\w\s'"`.,()[\]{}=<>!+\-*/?:%|\\\u00a0>&;]*$|^'|^"/u;

it('what of the hostile corpus can be read at all calls only allowed functions', () => {
  const read = hostileExpressions.filter((text) => {
    try {
      parseExpression(text, anyField);
      return true;
    } catch {
      return false;
    }
  });
  for (const text of read) {
    expect(text.length).toBeLessThan(8193);
    expect(text).not.toMatch(
      /\b(select|file|url|s3|remote|dictGet\w*|sleep\w*|hostName|getSetting|union|settings)\s*\(/i,
    );
    expect(text.length > 200 || harmless.test(text) || !text.includes('(')).toBe(true);
  }
  expect(read.length / hostileExpressions.length).toBeLessThan(0.15);
});
