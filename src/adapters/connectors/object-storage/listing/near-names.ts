/** Part of a listing, in its order. */
export interface NearNames {
  names: readonly string[];
  /** The listing began with the first of them. */
  fromStart: boolean;
  /** The last of them was the listing's last. */
  toEnd: boolean;
}

const pagesKept = 12;

/**
 * The names listed recently, wanted or not. They tell how many other names begin like the names of a
 * batch.
 */
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
    if (this.#pages.length <= pagesKept) {
      return;
    }
    this.#pages.shift();
    this.#fromStart = false;
  }

  /** Undefined: this service does not list in the order of bytes. */
  near(toEnd: boolean): NearNames | undefined {
    return this.#inOrder
      ? { names: this.#pages.flat(), fromStart: this.#fromStart, toEnd }
      : undefined;
  }
}

/** The order in which object services list names. */
export function byBytes(a: string, b: string): number {
  if (!isPlain(a) || !isPlain(b)) {
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}

const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** Names with their common prefix. */
export interface NameGroup {
  prefix: string;
  names: readonly string[];
}

/** A listing may show this many other names for each wanted name. */
const othersMax = 20;
/** A listing for fewer names is not worth its cost. */
const namesMin = 20;
const groupsMax = 8;
const pageNames = 1000;
/** A page of a listing costs about as much as this many requests for one name. */
const looksOfPage = 20;

interface Plan {
  groups: NameGroup[];
  /** In pages of listings. */
  cost: number;
}

/**
 * Groups of names that are quicker to list by their prefix than to request one by one: few other
 * names were seen with that prefix. The remaining names are in no group.
 */
export function groupsToList(names: readonly string[], near: NearNames): NameGroup[] {
  return cheapest(names.toSorted(byBytes), near)
    .groups.toSorted((a, b) => b.names.length - a.names.length)
    .slice(0, groupsMax);
}

/** One listing for all names, or several with longer prefixes: the plan with fewer pages. */
function cheapest(names: readonly string[], near: NearNames): Plan {
  if (names.length < namesMin) {
    return { groups: [], cost: names.length / looksOfPage };
  }
  const prefix = commonStart(names[0] ?? '', names.at(-1) ?? '');
  const count = countOf(prefix, near);
  const whole =
    count !== undefined && count <= names.length * (1 + othersMax)
      ? { groups: [{ prefix, names }], cost: Math.ceil(count / pageNames) }
      : undefined;
  if (whole && whole.cost <= 1) {
    return whole;
  }
  const parts = byNextCharacter(names, prefix.length);
  if (parts.length === 1) {
    return whole ?? { groups: [], cost: names.length / looksOfPage };
  }
  const plans = parts.map((some) => cheapest(some, near));
  const split = {
    groups: plans.flatMap(({ groups }) => groups),
    cost: plans.reduce((sum, { cost }) => sum + cost, 0),
  };
  return whole && (whole.cost <= split.cost || split.groups.length > groupsMax) ? whole : split;
}

/** Number of names with the prefix. Undefined: others may exist before or after the names seen. */
function countOf(prefix: string, { names, fromStart, toEnd }: NearNames): number | undefined {
  const first = names.findIndex((name) => name.startsWith(prefix));
  if (first < 0 || (first === 0 && !fromStart)) {
    return undefined;
  }
  const last = names.findLastIndex((name) => name.startsWith(prefix));
  return last === names.length - 1 && !toEnd ? undefined : last - first + 1;
}

function byNextCharacter(names: readonly string[], index: number): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const next = String.fromCodePoint(name.codePointAt(index) ?? 0);
    const group = groups.get(next);
    if (group) {
      group.push(name);
    } else {
      groups.set(next, [name]);
    }
  }
  return [...groups.values()];
}

/** The common prefix of two names; never cut inside a character. */
export function commonStart(first: string, last: string): string {
  let length = 0;
  while (length < first.length && first[length] === last[length]) {
    length++;
  }
  return first.slice(0, /[\uD800-\uDBFF]/.test(first[length - 1] ?? '') ? length - 1 : length);
}
