interface Line {
  /** The last work that must be alone. */
  alone: Promise<unknown>;
  /** What began after it and has not ended. */
  beside: Set<Promise<unknown>>;
}

/** Who may work on a thing at the same time: many beside one another, or one alone; in the order in which they came. */
export class Turns {
  readonly #lines = new Map<string, Line>();

  beside<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { alone, beside } = this.#line(name);
    const turn = alone.then(work);
    const ended = turn
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => beside.delete(ended));
    beside.add(ended);
    return turn;
  }

  alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    const line = this.#line(name);
    const turn = Promise.all([line.alone, ...line.beside]).then(work);
    line.alone = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }

  #line(name: string): Line {
    const known = this.#lines.get(name);
    if (known) {
      return known;
    }
    const made = { alone: Promise.resolve(), beside: new Set<Promise<unknown>>() };
    this.#lines.set(name, made);
    return made;
  }
}
