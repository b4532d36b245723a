import { Counter, Gauge, type Registry } from 'prom-client';
import type { PipeFigures } from '../../core/pipes/run/supervisor.ts';

const counters = {
  rows: 'Rows stored by the readers of this process',
  bytes: 'Bytes read by the readers of this process',
  errors: 'Records put into the error table by the readers of this process',
  batches: 'Batches stored by the readers of this process',
} as const satisfies Partial<Record<keyof PipeFigures, string>>;

/** By the name after `sightline_pipe_`. Null: there is nothing to say, and no sample is given. */
const gauges: Record<string, { help: string; value(pipe: PipeFigures): number | null }> = {
  readers: {
    help: 'Readers of the pipe that run in this process',
    value: ({ readers }) => readers,
  },
  held_bytes: {
    help: 'Bytes of records read and not yet stored',
    value: ({ heldBytes }) => heldBytes,
  },
  lag_records: {
    help:
      'Records not yet stored in the partitions that this process reads, ' +
      'as of the last measurement of each; absent if the source does not report it',
    value: ({ lag, backlog }) => (lag === 'records' ? backlog.remaining : null),
  },
  oldest_unprocessed_timestamp_seconds: {
    help:
      'Time at which the source received the oldest record not yet stored in the partitions ' +
      'that this process reads; absent if every record is stored',
    value: ({ backlog: { oldestAtMs } }) => (oldestAtMs === null ? null : oldestAtMs / 1000),
  },
};

/**
 * What the pipes of this process do, on `/metrics`; the label is the pipe's id, never a name or an
 * address.
 */
export function measurePipes(
  registry: Registry,
  pipes: { figures(): readonly PipeFigures[]; readonly deleting: number },
): void {
  registry.registerMetric(
    new Gauge({
      name: 'sightline_pipes_deleting',
      help:
        'Deleted pipes of all processes that are not removed yet, because their readers still run ' +
        'or their source cannot be cleaned up',
      registers: [],
      collect() {
        this.set(pipes.deleting);
      },
    }),
  );
  for (const [key, help] of Object.entries(counters) as [keyof typeof counters, string][]) {
    registry.registerMetric(
      new Counter({
        name: `sightline_pipe_${key}_total`,
        help,
        labelNames: ['pipe'],
        registers: [],
        collect() {
          this.reset();
          for (const pipe of pipes.figures()) {
            this.inc({ pipe: pipe.pipeId }, pipe[key]);
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
          for (const pipe of pipes.figures()) {
            const now = value(pipe);
            if (now !== null) {
              this.set({ pipe: pipe.pipeId }, now);
            }
          }
        },
      }),
    );
  }
}
