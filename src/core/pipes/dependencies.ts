import type { Clock, Ids, Log, Vault } from '../../ports/ambient.ts';
import type { Connectors } from '../../ports/connector.ts';
import type { Egress } from '../../ports/egress.ts';
import type { Store } from '../../ports/store/store.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import type { SourceKinds } from './kinds/source-kind.ts';

/** What the operations on pipes need. */
export interface PipeVerbDependencies {
  store: StoreReader;
  telemetry: Telemetry;
  /** The kinds of sources that pipes may have, and what connects to each of them. */
  kinds: SourceKinds;
  connectors: Connectors;
  vault: Vault;
  egress: Egress;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Allows plain http for sources (SIGHTLINE_ALLOW_HTTP_SOURCES). */
  allowHttp: boolean;
  /** From 0 (with) to 1 (without): spreads retries. */
  random(): number;
}

/** What the running pipes need: they also write, on nobody's behalf. */
export interface PipesDependencies extends PipeVerbDependencies {
  store: Store;
}
