import { Counter, Gauge, type Registry } from 'prom-client';
import type { PipeReading } from './core/pipes/supervisor.ts';

const counters = {
  rows: 'Rows stored by the readers of this process',
  bytes: 'Bytes read by the readers of this process',
  errors: 'Records put into the error table by the readers of this process',
  batches: 'Batches stored by the readers of this process',
} as const satisfies Partial<Record<keyof PipeReading, string>>;

const gauges = {
  readers: 'Readers of the pipe that run in this process',
  heldBytes: 'Bytes of records taken and not yet stored',
} as const satisfies Partial<Record<keyof PipeReading, string>>;

/** What the pipes of this process do, on `/metrics`; the label is the pipe's id, never a name or an address. */
export function measurePipes(registry: Registry, readings: () => readonly PipeReading[]): void {
  for (const [key, help] of Object.entries(counters) as [keyof typeof counters, string][]) {
    registry.registerMetric(new Counter({ name: `sightline_pipe_${key}_total`, help, labelNames: ['pipe'], registers: [], collect() {
      this.reset();
      for (const reading of readings()) this.inc({ pipe: reading.pipeId }, reading[key]);
    } }));
  }
  for (const [key, help] of Object.entries(gauges) as [keyof typeof gauges, string][]) {
    registry.registerMetric(new Gauge({ name: `sightline_pipe_${key === 'heldBytes' ? 'held_bytes' : key}`, help, labelNames: ['pipe'], registers: [], collect() {
      this.reset();
      for (const reading of readings()) this.set({ pipe: reading.pipeId }, reading[key]);
    } }));
  }
}
