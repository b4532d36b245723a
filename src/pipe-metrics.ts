import { Counter, Gauge, type Registry } from 'prom-client';
import type { PipeReading } from './core/pipes/supervisor.ts';

const counters = {
  rows: 'Rows stored by the readers of this process',
  bytes: 'Bytes read by the readers of this process',
  errors: 'Records put into the error table by the readers of this process',
  batches: 'Batches stored by the readers of this process',
} as const satisfies Partial<Record<keyof PipeReading, string>>;

/** By the name after `sightline_pipe_`. Null: there is nothing to say, and no sample is given. */
const gauges: Record<string, { help: string; value(reading: PipeReading): number | null }> = {
  readers: {
    help: 'Readers of the pipe that run in this process',
    value: ({ readers }) => readers,
  },
  held_bytes: {
    help: 'Bytes of records taken and not yet stored',
    value: ({ heldBytes }) => heldBytes,
  },
  lag_records: {
    help: 'Records not yet stored in the partitions that this process reads, as of the last look at each; none where the source does not say',
    value: ({ kind, backlog }) => (kind === 'postgres' ? null : backlog.remaining),
  },
  oldest_unprocessed_timestamp_seconds: {
    help: 'When the source got the oldest record that is not stored, in the partitions that this process reads; none where nothing waits',
    value: ({ backlog: { oldestAtMs } }) => (oldestAtMs === null ? null : oldestAtMs / 1000),
  },
};

/** What the pipes of this process do, on `/metrics`; the label is the pipe's id, never a name or an address. */
export function measurePipes(registry: Registry, readings: () => readonly PipeReading[]): void {
  for (const [key, help] of Object.entries(counters) as [keyof typeof counters, string][]) {
    registry.registerMetric(
      new Counter({
        name: `sightline_pipe_${key}_total`,
        help,
        labelNames: ['pipe'],
        registers: [],
        collect() {
          this.reset();
          for (const reading of readings()) {
            this.inc({ pipe: reading.pipeId }, reading[key]);
          }
        },
      }),
    );
  }
  for (const [name, { help, value }] of Object.entries(gauges)) {
    registry.registerMetric(
      new Gauge({
        name: `sightline_pipe_${name}`,
        help,
        labelNames: ['pipe'],
        registers: [],
        collect() {
          this.reset();
          for (const reading of readings()) {
            const now = value(reading);
            if (now !== null) {
              this.set({ pipe: reading.pipeId }, now);
            }
          }
        },
      }),
    );
  }
}
