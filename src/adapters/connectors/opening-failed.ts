import type { From } from '../../ports/connector.ts';

/**
 * Wraps an error that the runner's own `from` threw. A connector rethrows `reason` unchanged, so
 * that it does not report the runner's error as one of the source.
 */
export class OpeningFailed extends Error {
  readonly reason: unknown;
  constructor(reason: unknown) {
    super('the runner cannot open a partition');
    this.name = 'OpeningFailed';
    this.reason = reason;
  }
}

/** The runner's `from` with its errors wrapped in `OpeningFailed`. */
export function markOpeningErrors(from: From): From {
  return async (partition) =>
    from(partition).catch((reason: unknown) => {
      throw new OpeningFailed(reason);
    });
}
