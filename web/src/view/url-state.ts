import { isPacked } from './packed.ts';
import { parseBound, type TimeBound } from './time-range.ts';

/** Search parameters are plain text: no JSON, so that people can read and write them. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' || typeof value === 'number') {
      params.set(name, String(value));
    } else if (value === true) {
      params.set(name, '1');
    } else if (Array.isArray(value) && value.length > 0) {
      params.set(name, value.map((item) => encodeItem(String(item))).join(','));
    }
  }
  const query = params
    .toString()
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%2F', '/');
  return query === '' ? '' : `?${query}`;
}

/** Commas within an item of a list are doubled escapes. */
const encodeItem = (item: string): string => item.replaceAll('~', '~0').replaceAll(',', '~1');
const decodeItem = (item: string): string => item.replaceAll('~1', ',').replaceAll('~0', '~');

type Raw = Record<string, unknown>;

/** Readers of one parameter: the value, or undefined if it is absent or broken. */
export const param = {
  text(raw: Raw, name: string, maxLength = 8192): string | undefined {
    const value = raw[name];
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && text !== '' && text.length <= maxLength ? text : undefined;
  },
  list(raw: Raw, name: string, maxItems = 100): string[] | undefined {
    const value = raw[name];
    if (Array.isArray(value)) {
      const items = value.filter((item) => typeof item === 'string');
      return items.length > 0 ? items : undefined;
    }
    const text = param.text(raw, name);
    const items = text?.split(',').map(decodeItem).slice(0, maxItems);
    return items && items.length > 0 ? items : undefined;
  },
  /** A list whose items may be empty, such as the values of a group. */
  values(raw: Raw, name: string, maxItems = 100): string[] | undefined {
    const value = raw[name];
    if (Array.isArray(value)) {
      return value.filter((item) => typeof item === 'string').slice(0, maxItems);
    }
    return typeof value === 'string' && value.length <= 8192
      ? value.split(',').map(decodeItem).slice(0, maxItems)
      : undefined;
  },
  oneOf<T extends string>(raw: Raw, name: string, values: readonly T[]): T | undefined {
    return values.find((value) => value === raw[name]);
  },
  flag(raw: Raw, name: string): true | undefined {
    return raw[name] === true || raw[name] === '1' || raw[name] === 1 ? true : undefined;
  },
  id(raw: Raw, name: string): string | undefined {
    const text = param.text(raw, name, 24);
    return text !== undefined && /^[0-9a-f]{24}$/.test(text) ? text : undefined;
  },
  bound(raw: Raw, name: string): TimeBound | undefined {
    const value = raw[name];
    return value === undefined ? undefined : parseBound(String(value));
  },
  /** What `pack` made of a text. */
  packed(raw: Raw, name: string): string | undefined {
    const value = raw[name];
    return typeof value === 'string' && isPacked(value) ? value : undefined;
  },
  /** A path of this interface; anything that names another host is dropped. */
  ownPath(raw: Raw, name: string): string | undefined {
    const text = param.text(raw, name, 4000);
    const isOwn = text !== undefined && /^\/(?![/\\])[^\\\s]*$/.test(text);
    return isOwn ? text : undefined;
  },
};

/** Drops what is undefined, so that the URL names only what differs from the default. */
export function compact<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Names of parameters that were given and not understood. */
export function droppedParams(raw: Raw, read: Raw): string[] {
  return Object.keys(raw).filter((name) => raw[name] !== '' && read[name] === undefined);
}
