import type { PipesDependencies } from './dependencies.ts';
import { Supervisor, type PipeReading } from './supervisor.ts';

export interface PipesOptions extends PipesDependencies {
  /** This process, unlike any other (host, process id, a random part). */
  holder: string;
  tickMs?: number;
  leaseMs?: number;
}

export interface Pipes {
  start(): void;
  /** Readers store what they have, then give their leases back. */
  stop(): Promise<void>;
  /** One look at what is wanted, now: for tests and for a caller that does not want to wait for the next tick. */
  tick(): Promise<void>;
  /** Something was asked of a pipe: looks at once, where it was started. */
  wake(): void;
  /** What this process has done, for /metrics. */
  readings(): PipeReading[];
}

/** The pipes of one process: it shares them with every other that runs this. */
export function createPipes({
  holder,
  tickMs = 1000,
  leaseMs = 15_000,
  ...deps
}: PipesOptions): Pipes {
  return new Supervisor({ deps, holder, tickMs, leaseMs });
}
