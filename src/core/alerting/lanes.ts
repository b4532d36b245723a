/**
 * Lets work through, so much at once in all and so much of one key: a source that hangs holds its own places and no others. Within a key, first
 * come first served.
 */
export class Lanes {
  readonly #limits: { total: number; perKey: number };
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #running = new Map<string, number>();
  #total = 0;

  constructor(limits: { total: number; perKey: number }) {
    this.#limits = limits;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    await this.#enter(key);
    try {
      return await work();
    } finally {
      this.#leave(key);
    }
  }

  #enter(key: string): Promise<void> | undefined {
    if (this.#mayRun(key)) {
      return void this.#begin(key);
    }
    return new Promise((resolve) => {
      const list = this.#waiting.get(key) ?? [];
      list.push(resolve);
      this.#waiting.set(key, list);
    });
  }

  #mayRun(key: string): boolean {
    return this.#total < this.#limits.total && (this.#running.get(key) ?? 0) < this.#limits.perKey;
  }

  #begin(key: string): void {
    this.#total++;
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
  }

  #leave(key: string): void {
    this.#total--;
    const left = this.#running.get(key)! - 1;
    if (left === 0) {
      this.#running.delete(key);
    } else {
      this.#running.set(key, left);
    }
    for (const [waitingKey, list] of this.#waiting) {
      if (!this.#mayRun(waitingKey)) {
        continue;
      }
      // To the back of the line, so that no key is always first.
      this.#waiting.delete(waitingKey);
      const resume = list.shift()!;
      if (list.length > 0) {
        this.#waiting.set(waitingKey, list);
      }
      this.#begin(waitingKey);
      resume();
      if (this.#total >= this.#limits.total) {
        return;
      }
    }
  }
}
