interface Line {
  /** The last task that runs alone. */
  alone: Promise<unknown>;
  /** Tasks that started after it and have not ended. */
  beside: Set<Promise<unknown>>;
}

/**
 * Orders the tasks on each named thing: many run beside one another, or one runs alone, in the order
 * in which they came.
 */
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
