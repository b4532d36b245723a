/** Callers come back with the same header. */
const maxHeaders = 1000;

/**
 * What was worked out of headers that were accepted: taking one apart and hashing it costs more
 * than all other checks together. Nothing is decided by it: what it gives is compared and checked
 * like what was worked out anew, and no refused header is kept.
 */
export class HeaderMemory<T> {
  #kept = new Map<string, T>();

  get(header: string | undefined): T | undefined {
    return header === undefined ? undefined : this.#kept.get(header);
  }

  keep(header: string | undefined, worked: T): void {
    if (header === undefined || this.#kept.get(header) === worked) {
      return;
    }
    if (this.#kept.size >= maxHeaders) {
      this.#kept = new Map();
    }
    this.#kept.set(header, worked);
  }

  clear(): void {
    this.#kept = new Map();
  }
}
