import type { Clock, Ids, Log, Vault } from '../../ports/ambient.ts';
import type { Connectors } from '../../ports/connector.ts';
import type { Egress } from '../../ports/egress.ts';
import type { Store } from '../../ports/store.ts';
import type { Telemetry } from '../../ports/telemetry.ts';

export interface PipesDependencies {
  store: Store;
  telemetry: Telemetry;
  connectors: Connectors;
  vault: Vault;
  egress: Egress;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Plain http for schema registries, queues and object stores (SIGHTLINE_ALLOW_HTTP_SOURCES). */
  allowHttp: boolean;
  /** From 0 (with) to 1 (without): spreads retries. */
  random(): number;
}
