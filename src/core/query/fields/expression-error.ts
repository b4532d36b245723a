/**
 * A mistake in a condition or expression. `position` counts characters, from 0. Undefined if
 * the mistake has no position.
 */
export class ExpressionError extends Error {
  readonly position: number | undefined;

  constructor(reason: string, position?: number) {
    super(reason);
    this.name = 'ExpressionError';
    this.position = position;
  }

  /** The reason with its position for the caller. Here, positions start at 1. */
  get publicText(): string {
    return this.position === undefined
      ? this.message
      : `${this.message} (at position ${this.position + 1})`;
  }
}

/** Limits that bound the time and memory of every parser. */
export const textMax = 8192;
export const depthMax = 64;
export const termsMax = 500;
