/**
 * Reads a regular expression just closely enough to tell what it costs. The engine finds one match
 * in time linear in the text. To find all matches it may read the rest of the text after each one.
 */
export interface PatternCost {
  /** Finding all matches can take time in the square of the text's length. */
  readsAhead: boolean;
  /** States that counted repetitions add, such as 64 for `[0-9a-f]{64}`. */
  states: number;
}

interface Part extends PatternCost {
  /** Matches any number of characters. */
  endless: boolean;
  /** More follows an endless part, so that the part can be read in vain. */
  inVain: boolean;
}

const one: Part = { endless: false, inVain: false, readsAhead: false, states: 1 };

/** The cost of a pattern. If the engine would refuse the pattern, the result means nothing. */
export function patternCost(pattern: string): PatternCost {
  return new PatternReader(pattern).alternatives();
}

class PatternReader {
  readonly #pattern: string;
  #index = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  alternatives(): Part {
    const branches = [this.#sequence()];
    while (this.#take('|')) {
      branches.push(this.#sequence());
    }
    const inVain = branches.some((branch) => branch.inVain);
    return {
      endless: branches.some((branch) => branch.endless),
      inVain,
      readsAhead: branches.some(({ readsAhead }) => readsAhead) || (branches.length > 1 && inVain),
      states: sum(branches),
    };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#index < this.#pattern.length && !/[|)]/.test(this.#sign)) {
      parts.push(this.#repeated(this.#atom()));
    }
    return {
      endless: parts.some(({ endless }) => endless),
      inVain: parts.some(
        ({ endless, inVain }, index) => inVain || (endless && index + 1 < parts.length),
      ),
      readsAhead: parts.some(({ readsAhead }) => readsAhead),
      states: sum(parts),
    };
  }

  #atom(): Part {
    if (this.#take('(')) {
      const inner = this.alternatives();
      this.#take(')');
      return inner;
    }
    if (this.#take('[')) {
      this.#class();
    } else {
      this.#index += this.#sign === '\\' ? 2 : 1;
    }
    return one;
  }

  /** The rest of `[…]`. A bracket that comes first stands for itself. */
  #class(): void {
    this.#take('^');
    this.#take(']');
    while (this.#index < this.#pattern.length && this.#sign !== ']') {
      this.#index += this.#sign === '\\' ? 2 : 1;
    }
    this.#take(']');
  }

  #repeated(atom: Part): Part {
    let part = atom;
    for (;;) {
      const [text, least, comma, most] =
        /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(
          this.#pattern.slice(this.#index, this.#index + 16),
        ) ?? [];
      if (text === undefined) {
        return part;
      }
      this.#index += text.length;
      const isFixed = least !== undefined && comma === '';
      const times = Math.max(1, Number(least ?? 1), Number(most || 1));
      part = {
        endless: part.endless || /^[*+]/.test(text) || (comma === ',' && most === ''),
        inVain: part.inVain || (part.endless && times > 1),
        readsAhead: part.readsAhead || (part.inVain && !isFixed),
        states: part.states * times,
      };
    }
  }

  get #sign(): string {
    return this.#pattern[this.#index] ?? '';
  }

  #take(sign: string): boolean {
    const isThere = this.#sign === sign;
    this.#index += isThere ? 1 : 0;
    return isThere;
  }
}

const sum = (parts: readonly Part[]): number =>
  parts.reduce((total, { states }) => total + states, 0);
