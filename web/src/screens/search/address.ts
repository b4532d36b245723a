import { isPacked, pack, unpack } from '../../view/packed.ts';
import { compact, droppedParams, parseSearch, stringifySearch } from '../../view/url-state.ts';
import { readSearchParams, type SearchParams } from './params.ts';

/** Parameters that can be long. They go into `c` together. */
const longNames = ['q', 'filters', 'cols', 'order', 'group'] as const;
/** Most characters of a query that stands in the URL as it is. */
const plainMax = 1500;

type Long = Pick<SearchParams, (typeof longNames)[number]>;

/** What a URL says, with what its `c` holds. */
export interface Address {
  params: SearchParams;
  /** Names of parameters of `c` that were not understood, or `c` itself. */
  dropped: string[];
}

/** Reads the parameters of a URL. Those that stand in it as they are win over those in `c`. */
export async function readAddress({ c, ...plain }: SearchParams): Promise<Address> {
  if (c === undefined) {
    return { params: plain, dropped: [] };
  }
  const text = await unpack(c);
  if (text === undefined) {
    return { params: plain, dropped: ['c'] };
  }
  const raw = parseSearch(text);
  const read: Record<string, unknown> = longOf(readSearchParams(raw));
  return { params: { ...read, ...compact(plain) }, dropped: droppedParams(raw, read) };
}

/**
 * The long parameters as a URL takes them: as they are, or packed if they are too long for that.
 * Undefined: they do not fit into a URL at all.
 */
export async function packAddress(params: SearchParams): Promise<SearchParams | undefined> {
  const c = isReadable(params) ? await pack(textOf(params)) : undefined;
  const none = Object.fromEntries(longNames.map((name) => [name, undefined]));
  return c !== undefined && isPacked(c) ? { ...none, c } : undefined;
}

/** The long parameters as they stand in a URL. Undefined: they have to be packed. */
export function plainAddress(params: SearchParams): SearchParams | undefined {
  const isPlain = textOf(params).length <= plainMax && isReadable(params);
  return isPlain ? { ...longOf(params), c: undefined } : undefined;
}

const textOf = (params: SearchParams): string => stringifySearch(longOf(params)).slice(1);

/** Whether a reader of the URL understands every parameter: none has too many parts. */
function isReadable(params: SearchParams): boolean {
  const read = readSearchParams(parseSearch(textOf(params)));
  return longNames.every((name) => (params[name] === undefined) === (read[name] === undefined));
}

/** Whether a change has long parameters. */
export const isLong = (changes: Partial<SearchParams>): boolean =>
  longNames.some((name) => name in changes);

const longOf = (params: SearchParams): Long =>
  Object.fromEntries(longNames.map((name) => [name, params[name]]));
