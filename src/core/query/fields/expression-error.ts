/**
 * A mistake in a condition or expression. `position` counts characters, from 0. Undefined if
 * the mistake has no position.
 */
export class ExpressionError extends Error {
  readonly position: number | undefined;
  /** Path of the mistake within an input of several parts, such as `values.0` of a filter. */
  readonly part: string | undefined;

  constructor(reason: string, position?: number, part?: string) {
    super(reason);
    this.name = 'ExpressionError';
    this.position = position;
    this.part = part;
  }

  /** The path of the mistake, if the input is at `path`. */
  pathIn(path: string): string {
    return this.part === undefined ? path : `${path}.${this.part}`;
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

/** Runs a check of one part of an input; its ExpressionError names the part. */
export function inPart<T>(part: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof ExpressionError
      ? new ExpressionError(error.message, error.position, part)
      : error;
  }
}
