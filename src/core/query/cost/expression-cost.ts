import { children, type Expression } from '../expression/expression.ts';
import { ExpressionError } from '../fields/expression-error.ts';
import { patternCost } from './pattern-cost.ts';

/**
 * Refuses what takes time in the square of a row's texts. The engine does not look at its clock
 * inside a function, so that such an expression could hold its threads for minutes.
 */

/** Longest text of an edit distance, in bytes. Also the longest text to look for in another. */
const shortMax = 128;
/** Edit distances in one expression. */
const distancesMax = 8;
/** Longest part of a text in which all matches of any pattern are found. */
const partMax = 4096;
/** Repetitions `{n}` in a pattern, multiplied where they are nested. */
const statesMax = 1000;
/** Longest array that is compared element by element with another. */
const arrayMax = 256;

const distances = new Set(
  'levenshteinDistance editDistance damerauLevenshteinDistance jaroSimilarity jaroWinklerSimilarity'.split(
    ' ',
  ),
);
const searches = new Set(
  `position positionCaseInsensitive positionUTF8 positionCaseInsensitiveUTF8 locate countSubstrings
    countSubstringsCaseInsensitive replace replaceOne replaceAll`.split(/\s+/),
);
/** Functions with a pattern, by the place of the pattern among the arguments. */
const patterns = new Map(
  Object.entries({
    match: 1,
    like: 1,
    notLike: 1,
    ilike: 1,
    notILike: 1,
    extract: 1,
    regexpExtract: 1,
    extractGroups: 1,
    replaceRegexpOne: 1,
    mapContainsKeyLike: 1,
    mapExtractKeyLike: 1,
    extractAll: 1,
    extractAllGroups: 1,
    countMatches: 1,
    replaceRegexpAll: 1,
    REGEXP_REPLACE: 1,
    splitByRegexp: 0,
  }),
);
/** Functions that find all matches of a pattern. */
const allMatches = new Set(
  'extractAll extractAllGroups countMatches replaceRegexpAll REGEXP_REPLACE splitByRegexp'.split(
    ' ',
  ),
);
const patternOperators = new Set(['LIKE', 'NOT LIKE', 'ILIKE', 'NOT ILIKE', 'REGEXP']);
const comparedArrays = new Set(['hasAll', 'hasAny', 'hasSubstr']);
const lengthFunctions = new Set([
  'left',
  'leftUTF8',
  'right',
  'rightUTF8',
  'substring',
  'substr',
  'mid',
  'substringUTF8',
]);
/** Functions whose result is no longer than their argument. */
const keepingLength = new Set('lower upper lcase ucase trim ltrim rtrim reverse'.split(' '));

/** @throws ExpressionError naming the function and what to write instead */
export function refuseCostly(expression: Expression): void {
  if (countOf(expression, distances) > distancesMax) {
    throw new ExpressionError(
      `an expression can have at most ${distancesMax} edit distances. Use fewer of them`,
    );
  }
  check(expression, undefined);
}

/** `own`: parameters of the innermost lambda around. */
function check(expression: Expression, own: readonly string[] | undefined): void {
  if (own && isCaptured(expression, own)) {
    throw new ExpressionError(
      `${nameOf(expression)} is copied for every element of an array. ` +
        `Inside ->, write left(${nameOf(expression)}, ${shortMax})`,
    );
  }
  if (own && isShort(expression)) {
    return;
  }
  if (expression.kind === 'call') {
    checkCall(expression.name, expression.args);
  }
  if (expression.kind === 'binary' && patternOperators.has(expression.operator)) {
    checkPattern(expression.operator, expression.right, undefined);
  }
  const inner = expression.kind === 'lambda' ? expression.parameters : own;
  for (const child of children(expression)) {
    check(child, inner);
  }
}

function checkCall(name: string, args: readonly Expression[]): void {
  if (distances.has(name)) {
    for (const text of args.filter((argument) => !isShort(argument))) {
      throw tooLong(name, text);
    }
  }
  const [first, second] = args;
  if (searches.has(name) && first && second && !isShort(first) && !isShort(second)) {
    throw tooLong(name, name === 'locate' ? first : second);
  }
  if (comparedArrays.has(name) && args.every((array) => !isShortArray(array))) {
    throw new ExpressionError(
      `${name} compares every element of one array with every element of the other. ` +
        `Write one of them as a list of literals, or as arraySlice(…, 1, ${arrayMax})`,
    );
  }
  const place = patterns.get(name);
  const pattern = place === undefined ? undefined : args[place];
  if (pattern) {
    checkPattern(name, pattern, allMatches.has(name) ? args[1 - (place ?? 0)] : undefined);
  }
}

/** `text`: where all matches are to be found. */
function checkPattern(name: string, pattern: Expression, text: Expression | undefined): void {
  if (pattern.kind !== 'string') {
    throw new ExpressionError(`the pattern of ${name} must be a text in quotes`);
  }
  const { readsAhead, states } = patternCost(pattern.value);
  if (states > statesMax + pattern.value.length) {
    throw new ExpressionError(
      `the pattern of ${name} repeats too much. Its counts {n} can make at most ${statesMax} repetitions`,
    );
  }
  if (text && readsAhead && !isPart(text, partMax)) {
    throw new ExpressionError(
      `the pattern of ${name} may read the rest of the text after each match, because *, + or {n,} ` +
        'is followed by more inside an alternative or an optional group. ' +
        `Simplify the pattern, or search a part of the text, such as left(…, ${partMax})`,
    );
  }
}

function tooLong(name: string, text: Expression): ExpressionError {
  return new ExpressionError(
    `${name} takes time in the square of the text length. ` +
      `Shorten its argument: left(${nameOf(text)}, ${shortMax})`,
  );
}

/** As a caller would recognize it in a hint. */
function nameOf(expression: Expression): string {
  if (expression.kind === 'parameter') {
    return expression.name;
  }
  return expression.kind === 'field' && expression.field.kind === 'column'
    ? expression.field.name.slice(0, 64)
    : '…';
}

/** A value from outside the lambda, copied for each element: as large as the row's text. */
function isCaptured(expression: Expression, own: readonly string[]): boolean {
  if (expression.kind === 'parameter') {
    return !own.includes(expression.name);
  }
  return (
    expression.kind === 'field' &&
    !['number', 'boolean', 'time'].includes(expression.field.type.base)
  );
}

/** A text of at most `shortMax` bytes, or a number. */
const isShort = (expression: Expression): boolean => isPart(expression, shortMax);

function isPart(expression: Expression, lengthMax: number): boolean {
  if (expression.kind === 'string') {
    return expression.value.length <= lengthMax;
  }
  if (expression.kind === 'number' || expression.kind === 'null') {
    return true;
  }
  if (expression.kind !== 'call') {
    return false;
  }
  const [first] = expression.args;
  if (keepingLength.has(expression.name)) {
    return first !== undefined && isPart(first, lengthMax);
  }
  const withStart = !/^(left|right)/.test(expression.name);
  const length = expression.args[withStart ? 2 : 1];
  return (
    lengthFunctions.has(expression.name) &&
    length?.kind === 'number' &&
    Number(length.text) <= lengthMax
  );
}

function isShortArray(expression: Expression): boolean {
  if (expression.kind === 'array') {
    return expression.items.length <= arrayMax && expression.items.every(isLiteral);
  }
  const length =
    expression.kind === 'call' && expression.name === 'arraySlice' && expression.args[2];
  return (
    length !== undefined &&
    length !== false &&
    length.kind === 'number' &&
    Number(length.text) <= arrayMax
  );
}

const isLiteral = ({ kind }: Expression): boolean =>
  ['string', 'number', 'boolean', 'null', 'minus'].includes(kind);

function countOf(expression: Expression, names: ReadonlySet<string>): number {
  const own = expression.kind === 'call' && names.has(expression.name) ? 1 : 0;
  return children(expression).reduce((total, child) => total + countOf(child, names), own);
}
