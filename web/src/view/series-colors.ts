import { severityOf } from './severity.ts';

/** How a series is drawn. */
export interface SeriesLook {
  /** CSS colour. */
  color: string;
  /** The colours have been given away: the line is dashed. */
  isDashed: boolean;
}

const colorCount = 8;

/** One colour for one name, on every chart that shares the book. */
export class ColorBook {
  private readonly slots = new Map<string, number>();
  private readonly taken = new Set<number>();

  /** The names of one chart, in any order. */
  add(names: Iterable<string>): void {
    for (const name of [...names].toSorted()) {
      this.slotOf(name);
    }
  }

  look(name: string): SeriesLook {
    const slot = this.slotOf(name);
    return { color: `var(--series-${(slot % colorCount) + 1})`, isDashed: slot >= colorCount };
  }

  private slotOf(name: string): number {
    const known = this.slots.get(name);
    if (known !== undefined) {
      return known;
    }
    // From a place that depends on the name alone, so that most names keep their colour for ever.
    const first = hashOf(name) % colorCount;
    const places = Array.from({ length: colorCount }, (_, step) => (first + step) % colorCount);
    const slot = places.find((place) => !this.taken.has(place)) ?? colorCount + first;
    this.slots.set(name, slot);
    this.taken.add(slot);
    return slot;
  }
}

function hashOf(text: string): number {
  let hash = 7;
  for (const char of text) {
    hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) >>> 0;
  }
  return hash;
}

/** Groups by severity or status have the colours of severities. */
export function severityLook(name: string): SeriesLook {
  const bars: Record<string, string> = {
    fatal: 'fatal',
    error: 'error',
    warn: 'warn',
    info: 'info',
  };
  return { color: `var(--bar-${bars[severityOf(name)] ?? 'other'})`, isDashed: false };
}

export const otherLook: SeriesLook = { color: 'var(--bar-other)', isDashed: false };

/** A line that no other has to be told from. */
export const aloneLook: SeriesLook = { color: 'var(--series-1)', isDashed: false };
