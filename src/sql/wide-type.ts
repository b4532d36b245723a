/**
 * A type made of nothing but these around integers and others: each part is read and cast by
 * itself.
 */
const containers = /^(Nullable|Array|Map|Tuple|LowCardinality)$/;
const integer = /^U?Int(8|16|32|64|128)$/;
const smallInteger = /^U?Int(8|16|32)$/;
const token =
  /'(?:[^'\\]|\\.|'')*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z0-9_]*|[^A-Za-z_'`"]/g;

/**
 * A column's type (as the engine writes it) with every integer in it 256 bits wide, to read numbers
 * from outside into: the engine takes a text that is too large for an integer modulo its width, so
 * what does not fit has to be seen in a type where it fits. Undefined where the type holds no such
 * integer, or holds it in something that is not read part by part.
 */
export const wideType = (type: string): string | undefined => widened(type, integer, 'Int256');

/**
 * The same for numbers that come with 64 bits at most, from readers that know no wider ones:
 * integers of 32 bits and less become Int64.
 */
export const longType = (type: string): string | undefined => widened(type, smallInteger, 'Int64');

function widened(type: string, integers: RegExp, wide: string): string | undefined {
  const tokens = type.match(token) ?? [];
  const words = tokens.map((text, index) =>
    /^[A-Za-z_]/.test(text) && /^[(,)]?$/.test(tokens[index + 1] ?? '') ? text : undefined,
  );
  if (!words.some((word) => word !== undefined && integers.test(word))) {
    return undefined;
  }
  if (
    words.some(
      (word, index) =>
        word !== undefined &&
        tokens[index + 1] === '(' &&
        !containers.test(word) &&
        holdsInteger(tokens, index),
    )
  ) {
    return undefined;
  }
  // The engine allows no dictionary over wide integers.
  return tokens
    .map((text, index) => (words[index] !== undefined && integers.test(text) ? wide : text))
    .join('')
    .replaceAll(`LowCardinality(${wide})`, wide)
    .replaceAll(`LowCardinality(Nullable(${wide}))`, `Nullable(${wide})`);
}

/** Whether there is an integer between the brackets that open after index `start`. */
function holdsInteger(tokens: readonly string[], start: number): boolean {
  let depth = 0;
  for (const token of tokens.slice(start + 1)) {
    if (token === '(') {
      depth++;
    } else if (token === ')' && --depth === 0) {
      return false;
    } else if (integer.test(token)) {
      return true;
    }
  }
  return false;
}
