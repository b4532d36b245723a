/** A decoded value as JSON text: 64-bit integers keep every digit, bytes become text where they are UTF-8, else base64. */
export function jsonText(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return String(value);
    case 'number':
      return Number.isFinite(value)
        ? String(value)
        : Number.isNaN(value)
          ? '"nan"'
          : value > 0
            ? '"inf"'
            : '"-inf"';
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
