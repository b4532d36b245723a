const escapes: Record<string, string> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
};
const unescapes: Record<string, string> = {
  t: '\t',
  n: '\n',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
};

/** Escapes a text for one field of a TabSeparated line. */
export function escapeTsv(text: string): string {
  return text.replaceAll(/[\\\t\n\r\0]/g, (sign) => escapes[sign] ?? sign);
}

/** The text of a field of a TabSeparated line, or of PostgreSQL's COPY text. */
export function unescapeTsv(field: string): string {
  return field.includes('\\')
    ? field.replaceAll(/\\([\s\S])/g, (_, sign: string) => unescapes[sign] ?? sign)
    : field;
}

/**
 * Converts a JSON value to a field: a string loses its quotes, arrays and objects get the engine's
 * own notation. `floats`: the value may be an array of floats, in which NaN has no quotes.
 */
export function tsvOfJson(json: string, floats = false): string {
  if (json === 'null') {
    return '\\N';
  }
  const first = json[0];
  if (first === '"') {
    return escapeTsv(JSON.parse(json) as string);
  }
  // The engine removes escapes once, inside the quotes of such a field.
  return first === '[' || first === '{'
    ? json.replaceAll(jsonToken, floats ? floatToken : engineToken)
    : json;
}

/** Converts a field that holds an array or map to JSON. */
export function jsonOfNotation(field: string): string {
  return field.replaceAll(notationToken, (token) =>
    token === 'NULL' ? 'null' : JSON.stringify(unescapeTsv(token.slice(1, -1))),
  );
}

const jsonToken = /"(?:[^"\\]|\\.)*"|null/g;
const notationToken = /'(?:[^'\\]|\\[\s\S])*'|NULL/g;

const floatToken = (token: string): string => (token === 'null' ? 'NULL' : token.slice(1, -1));

function engineToken(token: string): string {
  if (token === 'null') {
    return 'NULL';
  }
  return `'${escapeTsv(JSON.parse(token) as string).replaceAll("'", "\\'")}'`;
}
