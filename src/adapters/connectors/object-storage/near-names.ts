/** Part of a listing, in its order. */
export interface NearNames {
  names: readonly string[];
  /** The listing began with the first of them. */
  fromStart: boolean;
  /** The last of them was the listing's last. */
  toEnd: boolean;
}

const pagesKept = 12;

/** What was listed lately, whether it was wanted or not: it tells what else begins like the names of a batch. */
export class ListedLately {
  readonly #pages: (readonly string[])[] = [];
  #fromStart = true;
  #last = '';
  #inOrder = true;

  add(names: readonly string[]): void {
    for (const name of names) {
      this.#inOrder &&= byBytes(this.#last, name) < 0;
      this.#last = name;
    }
    this.#pages.push(names);
    if (this.#pages.length <= pagesKept) return;
    this.#pages.shift();
    this.#fromStart = false;
  }

  /** Undefined: this service lists in no order that we know. */
  near(toEnd: boolean): NearNames | undefined {
    return this.#inOrder ? { names: this.#pages.flat(), fromStart: this.#fromStart, toEnd } : undefined;
  }
}

/** As object services order names. */
export const byBytes = (a: string, b: string): number => (isPlain(a) && isPlain(b) ? (a < b ? -1 : a > b ? 1 : 0) : Buffer.compare(Buffer.from(a), Buffer.from(b)));
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** Names and what they begin with. */
export interface NameGroup {
  prefix: string;
  names: readonly string[];
}

/** A listing shows up to so many others for each name that is wanted; fewer names are not worth one. */
const othersMax = 20;
const namesMin = 20;
const groupsMax = 8;

/**
 * Groups of names that are quicker listed by their prefix than asked for one by one: hardly anything else begins like that, as far as was seen. Those
 * that are in no group stand alone.
 */
export function groupsToList(names: readonly string[], near: NearNames): NameGroup[] {
  const groups: NameGroup[] = [];
  const waiting: (readonly string[])[] = [names.toSorted(byBytes)];
  for (let some = waiting.shift(); some !== undefined && groups.length < groupsMax; some = waiting.shift()) {
    if (some.length < namesMin) continue;
    const prefix = commonStart(some[0]!, some.at(-1)!);
    const count = countOf(prefix, near);
    if (count !== undefined && count <= some.length * (1 + othersMax)) groups.push({ prefix, names: some });
    else waiting.push(...byNextCharacter(some, prefix.length));
  }
  return groups;
}

/** How many names begin like that; undefined: there may be others before or after what was seen. */
function countOf(prefix: string, { names, fromStart, toEnd }: NearNames): number | undefined {
  const first = names.findIndex((name) => name.startsWith(prefix));
  if (first < 0 || (first === 0 && !fromStart)) return undefined;
  const last = names.findLastIndex((name) => name.startsWith(prefix));
  return last === names.length - 1 && !toEnd ? undefined : last - first + 1;
}

function byNextCharacter(names: readonly string[], at: number): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const next = String.fromCodePoint(name.codePointAt(at) ?? 0);
    const group = groups.get(next);
    if (group) group.push(name);
    else groups.set(next, [name]);
  }
  return [...groups.values()];
}

/** What two names begin with, whole characters only. */
export function commonStart(first: string, last: string): string {
  let length = 0;
  while (length < first.length && first[length] === last[length]) length++;
  return first.slice(0, /[\uD800-\uDBFF]/.test(first[length - 1] ?? '') ? length - 1 : length);
}
