/** Strings and numbers of JSON as strings with a tag, so that every digit of a number remains. */
const stringTag = 's';
const numberTag = 'n';

const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/** A parsed value. Objects have the tag of strings before their keys. */
export type Tagged = string | boolean | null | Tagged[] | { [key: string]: Tagged };
export type TaggedObject = Record<string, Tagged>;

/** Undefined: the text is not JSON. */
export function taggedJson(text: string): Tagged | undefined {
  try {
    JSON.parse(text);
    return JSON.parse(
      text.replace(stringOrNumber, (token) =>
        token.startsWith('"') ? `"${stringTag}${token.slice(1)}` : `"${numberTag}${token}"`,
      ),
    ) as Tagged;
  } catch {
    return undefined;
  }
}

export const isObject = (value: Tagged | undefined): value is TaggedObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isNumber = (value: Tagged): value is string =>
  typeof value === 'string' && value.startsWith(numberTag);
export const isText = (value: Tagged): value is string =>
  typeof value === 'string' && value.startsWith(stringTag);
/** A number, text or key without its tag. */
export const untagged = (text: string): string => text.slice(1);
