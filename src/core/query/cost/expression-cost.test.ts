import { describe, expect, it } from 'vitest';
import { parseExpression } from '../expression/parse-expression.ts';
import { fieldsOf } from '../fields/fields.ts';

const fields = fieldsOf([
  { name: 'Body', type: 'String' },
  { name: 'ServiceName', type: 'LowCardinality(String)' },
  { name: 'Duration', type: 'UInt64' },
  { name: 'Attributes', type: 'Map(String, String)' },
]);
const reason = (text: string): string => {
  try {
    parseExpression(text, fields);
    return 'allowed';
  } catch (error) {
    return String(error);
  }
};
const distance = "levenshteinDistance(left(ServiceName, 64), 'checkout')";

describe('what an expression may cost', () => {
  it.each([
    `${distance} < 3`,
    "levenshteinDistance(lower(substring(Body, 1, 128)), lower('Checkout')) < 3",
    "position(Body, 'refused') > 0",
    'position(Body, left(ServiceName, 128)) > 0',
    "locate('refused', Body) > 0",
    "replaceRegexpAll(Body, '[0-9]+|[a-f0-9]{8,}', 'N') = 'x'",
    "replaceRegexpAll(left(Body, 4096), 'a(.*b)?', 'x') = 'x'",
    "match(Body, 'a(.*b)?c[0-9a-f]{64}')",
    "Body LIKE '%a_b%'",
    "hasAny(splitByChar(' ', Body), ['a', 'b'])",
    "hasAll(splitByChar(' ', Body), arraySlice(mapValues(Attributes), 1, 20))",
    "arrayExists(x -> x = left(ServiceName, 20), splitByChar(' ', Body))",
    "arrayExists(x -> length(x) > Duration, splitByChar(' ', Body))",
    "arrayExists((k, v) -> k = 'a' AND v = 'b', mapKeys(Attributes), mapValues(Attributes))",
    "arrayExists(x -> arrayExists(y -> y = '1', splitByChar('=', x)), splitByChar(' ', Body))",
  ])('allows %s', (text) => {
    expect(reason(text)).toBe('allowed');
  });

  it.each([
    [
      "levenshteinDistance(Body, 'checkout') < 3",
      /levenshteinDistance takes time .* left\(Body, 128\)/,
    ],
    ['jaroSimilarity(Body, reverse(Body)) < 3', /jaroSimilarity/],
    ['editDistance(left(Body, 10), left(Body, 129)) < 3', /editDistance/],
    [`levenshteinDistance('a', '${'x'.repeat(129)}') < 3`, /levenshteinDistance/],
    [Array.from({ length: 9 }, () => `${distance} < 3`).join(' OR '), /at most 8 edit distances/],
    ['position(Body, reverse(Body)) > 0', /position takes time/],
    ["replaceAll(Body, ServiceName, '') = ''", /replaceAll takes time .* left\(ServiceName, 128\)/],
    ['match(Body, ServiceName)', /the pattern of match must be a text in quotes/],
    ['Body LIKE ServiceName', /the pattern of LIKE must be a text in quotes/],
    ["match(Body, '((a{100}){20})')", /the pattern of match repeats too much/],
    [
      "countMatches(Body, 'a(.*b)?') > 3",
      /the pattern of countMatches may read .* left\(…, 4096\)/,
    ],
    ["length(splitByRegexp('a.*b|a', Body)) > 3", /the pattern of splitByRegexp/],
    ["hasAll(splitByChar('a', Body), splitByChar('b', Body))", /hasAll compares every element/],
    [
      "arrayExists(x -> x = Body, splitByChar(' ', Body))",
      /Body is copied for every element .* left\(Body, 128\)/,
    ],
    [
      "arrayExists(x -> arrayExists(y -> y = x, splitByChar(' ', x)), splitByChar('a', Body))",
      /x is copied for every element/,
    ],
  ])('refuses %s', (text, expected) => {
    expect(reason(text)).toMatch(expected);
  });
});
