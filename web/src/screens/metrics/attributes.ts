/** A key of the points of a metric, with its values and the number of series that have each. */
export interface MetricAttribute {
  /** As it is written in conditions and groups. */
  field: string;
  name: string;
  values: { value: string; series: number }[];
}

const pair = /'((?:[^'\\]|\\.)*)':'((?:[^'\\]|\\.)*)'/gs;
const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '0': '\0' };

/** Keys and values of a map, as the engine writes it: `{'key':'value'}`. */
export function readMap(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, key = '', value = ''] of text.matchAll(pair)) {
    found.set(unescaped(key), unescaped(value));
  }
  return found;
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/gs, (_, char: string) => escapes[char] ?? char);

/** The attributes of series, each given by its service and its map of attributes. */
export function attributesOf(groups: readonly (readonly string[])[]): MetricAttribute[] {
  const counts = new Map<string, Map<string, number>>();
  const add = (name: string, value: string): void => {
    const values = counts.get(name) ?? new Map<string, number>();
    values.set(value, (values.get(value) ?? 0) + 1);
    counts.set(name, values);
  };
  for (const [service = '', map = ''] of groups) {
    if (service !== '') {
      add(serviceField, service);
    }
    for (const [key, value] of readMap(map)) {
      add(key, value);
    }
  }
  return [...counts]
    .map(([name, values]) => ({
      name,
      field: name === serviceField ? name : fieldOf(name),
      values: [...values]
        .map(([value, series]) => ({ value, series }))
        .toSorted((a, b) => b.series - a.series || a.value.localeCompare(b.value)),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

export const serviceField = 'ServiceName';

const plainKey = /^[\p{L}\p{N}_.\-/:@]+$/u;

/** A key with other characters is in backquotes. */
const fieldOf = (key: string): string =>
  plainKey.test(key)
    ? `Attributes.${key}`
    : `Attributes.\`${key.replaceAll(/[\\`]/g, String.raw`\$&`)}\``;
