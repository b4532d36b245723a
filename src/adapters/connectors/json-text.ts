/**
 * Converts a decoded value to JSON text. 64-bit integers keep every digit. Bytes become text if they
 * are valid UTF-8, otherwise base64.
 */
export function jsonText(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return String(value);
    case 'number':
      return numberText(value);
    case 'string':
      return JSON.stringify(value);
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? 'null' : objectText(value);
    default:
      return 'null';
  }
}

function numberText(value: number): string {
  if (Number.isFinite(value)) {
    return String(value);
  }
  if (Number.isNaN(value)) {
    return '"nan"';
  }
  return value > 0 ? '"inf"' : '"-inf"';
}

const strict = new TextDecoder('utf-8', { fatal: true });

function objectText(value: object): string {
  if (value instanceof Uint8Array) {
    return JSON.stringify(bytesText(value));
  }
  if (Array.isArray(value)) {
    return `[${value.map(jsonText).join(',')}]`;
  }
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${jsonText(inner)}`).join(',')}}`;
}

function bytesText(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('base64');
  }
}
