/**
 * A mistake in a condition or expression. `at` is its position in characters, from 0. Undefined if
 * the mistake has no position.
 */
export class ExpressionError extends Error {
  readonly at: number | undefined;

  constructor(reason: string, at?: number) {
    super(reason);
    this.name = 'ExpressionError';
    this.at = at;
  }

  /** The reason with its position for the caller. Here, positions start at 1. */
  get publicText(): string {
    return this.at === undefined ? this.message : `${this.message} (at position ${this.at + 1})`;
  }
}

/** Limits that bound the time and memory of every parser. */
export const textMax = 8192;
export const depthMax = 64;
export const termsMax = 500;
