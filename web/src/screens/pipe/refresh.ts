import type { Pipe } from '../../api/queries/pipes.ts';
import { isPassing } from '../../pipes/states.ts';

/** How often the metrics of a pipe are read again, and the pipe itself. */
export const refreshMs = 5000;

/** The pipe, while it starts or stops. */
const passingRefreshMs = 1500;

export const refreshAfterMs = (pipe: Pipe | undefined): number =>
  pipe && isPassing(pipe) ? passingRefreshMs : refreshMs;
