const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/**
 * Splits PostgreSQL's text of a composite value, `(1,"a ""b""",)`, into its fields. A field that is
 * NULL is null.
 */
export function recordFields(text: string): (string | null)[] {
  const fields: (string | null)[] = [];
  const end = text.length - 1;
  for (let index = 1; index <= end; index++) {
    let value = '';
    let isNull = true;
    for (let quoted = false; index < end; index++) {
      const code = text.charCodeAt(index);
      if (code === comma && !quoted) {
        break;
      }
      isNull = false;
      if (code === backslash) {
        value += text.charAt(++index);
      } else if (code !== quote) {
        value += text.charAt(index);
      } else if (quoted && text.charCodeAt(index + 1) === quote) {
        value += text.charAt(++index);
      } else {
        quoted = !quoted;
      }
    }
    fields.push(isNull ? null : value);
  }
  return fields;
}

/** Converts PostgreSQL's text of an hstore, `"a"=>"b", "c"=>NULL`, to a JSON object. */
export function hstoreJson(text: string): string {
  const pairs: string[] = [];
  for (const [, key = '', value] of text.matchAll(
    /"((?:[^"\\]|\\.)*)"=>(?:NULL|"((?:[^"\\]|\\.)*)")/gs,
  )) {
    pairs.push(`${unescaped(key)}:${value === undefined ? 'null' : unescaped(value)}`);
  }
  return `{${pairs.join(',')}}`;
}

function unescaped(text: string): string {
  return JSON.stringify(text.replaceAll(/\\([\s\S])/g, '$1'));
}
