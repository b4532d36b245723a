import type { Clock } from '../../ports/ambient.ts';

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };
