import { Counter, Gauge, type Registry } from 'prom-client';
import type { Telemetry } from '../../ports/telemetry.ts';

/** The life of the embedded engine on `/metrics`; nothing for a server elsewhere. */
export function measureEngine(registry: Registry, telemetry: Telemetry): void {
  if (!telemetry.embedded) {
    return;
  }
  registry.registerMetric(
    new Gauge({
      name: 'sightline_engine_up',
      help: 'Whether the embedded engine runs: 1 or 0',
      registers: [],
      collect() {
        this.set(telemetry.engineProcess?.pid === undefined ? 0 : 1);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'sightline_engine_broken_parts',
      help: 'Parts of tables that the engine could not read at its last start; queries do not see their rows',
      registers: [],
      collect() {
        this.set(telemetry.engineProcess?.brokenParts ?? 0);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'sightline_intake_log_pending_bytes',
      help: 'Bytes of acknowledged telemetry that the embedded engine does not have yet',
      registers: [],
      collect() {
        this.set(telemetry.intakeLog?.pendingBytes ?? 0);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'sightline_intake_log_unstored_blocks',
      help: 'Blocks of acknowledged telemetry that the embedded engine did not take; retried',
      registers: [],
      collect() {
        this.set(telemetry.intakeLog?.unstoredBlocks ?? 0);
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: 'sightline_engine_restarts_total',
      help: 'Restarts of the embedded engine since this process started',
      registers: [],
      collect() {
        this.reset();
        this.inc(telemetry.engineProcess?.restarts ?? 0);
      },
    }),
  );
}
