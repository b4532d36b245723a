/** A condition or expression that cannot be used, and where in its text. `at` counts characters from 0; undefined: the whole. */
export class ExpressionError extends Error {
  readonly at: number | undefined;

  constructor(reason: string, at?: number) {
    super(reason);
    this.name = 'ExpressionError';
    this.at = at;
  }

  /** The reason with its place, as a caller reads it. Positions start at 1. */
  get publicText(): string {
    return this.at === undefined ? this.message : `${this.message} (at position ${this.at + 1})`;
  }
}

/** Caps that keep every parser here linear in time and small in memory. */
export const textMax = 8192;
export const depthMax = 64;
export const termsMax = 500;
