const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** PostgreSQL's text of a composite value, `(1,"a ""b""",)`, as its fields in order; null: the field is NULL. */
export function recordFields(text: string): (string | null)[] {
  const fields: (string | null)[] = [];
  const end = text.length - 1;
  for (let at = 1; at <= end; at++) {
    let value = '';
    let isNull = true;
    for (let quoted = false; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === comma && !quoted) {
        break;
      }
      isNull = false;
      if (code === backslash) {
        value += text[++at]!;
      } else if (code !== quote) {
        value += text[at]!;
      } else if (quoted && text.charCodeAt(at + 1) === quote) {
        value += text[++at]!;
      } else {
        quoted = !quoted;
      }
    }
    fields.push(isNull ? null : value);
  }
  return fields;
}

/** PostgreSQL's text of an hstore, `"a"=>"b", "c"=>NULL`, as a JSON object. */
export function hstoreJson(text: string): string {
  const pairs: string[] = [];
  for (const [, key, value] of text.matchAll(
    /"((?:[^"\\]|\\.)*)"=>(?:NULL|"((?:[^"\\]|\\.)*)")/gs,
  )) {
    pairs.push(`${unescaped(key!)}:${value === undefined ? 'null' : unescaped(value)}`);
  }
  return `{${pairs.join(',')}}`;
}

function unescaped(text: string): string {
  return JSON.stringify(text.replaceAll(/\\([\s\S])/g, '$1'));
}
