import type { PipesDependencies } from '../dependencies.ts';
import { Supervisor, type PipeFigures } from './supervisor.ts';

export interface PipesOptions extends PipesDependencies {
  /** Name of this process; no other process has it. */
  holder: string;
  tickMs?: number;
  leaseMs?: number;
}

export interface Pipes {
  start(): void;
  /** Readers store the records they have read, then release their leases. */
  stop(): Promise<void>;
  /** Compares wanted and running readers now; for tests. */
  tick(): Promise<void>;
  /** Compares now rather than at the next tick: a pipe was changed. Does nothing before `start`. */
  wake(): void;
  /** Figures of this process, for /metrics. */
  figures(): PipeFigures[];
}

/** The pipes of one process, which shares them with every other process that runs pipes. */
export function createPipes({
  holder,
  tickMs = 1000,
  leaseMs = 15_000,
  ...deps
}: PipesOptions): Pipes {
  return new Supervisor({ deps, holder, tickMs, leaseMs });
}
