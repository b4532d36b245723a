import type { SourceKinds } from '../core/pipes/kinds/source-kind.ts';
import type { Clock, Log, Vault } from '../ports/ambient.ts';
import type { Connectors } from '../ports/connector.ts';
import type { Egress } from '../ports/egress.ts';
import type { Store } from '../ports/store/store.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { WebhookSender } from '../ports/webhook-sender.ts';
import type { Config } from './config/config.ts';
import type { Tuning } from './tuning.ts';

export interface AppOptions {
  config: Config;
  log: Log;
  version: string;
  clock?: Clock;
  /** From 0 (with) to 1 (without): spreads retries. */
  random?: () => number;
  /**
   * Name under which this process holds leases. By default a constant with an embedded store, which
   * one process has to itself, so that a restart takes its own leases over; else a name of its own.
   */
  holder?: string;
  /** Used in place of the parts that the configuration names. The caller closes them. */
  parts?: Partial<Parts>;
  tuning?: Tuning;
  /** Directory of the built web interface; by default the one that the build makes. */
  siteDirectory?: string;
}

/** The parts that reach outside the process. */
export interface Parts {
  store: Store;
  telemetry: Telemetry;
  vault: Vault;
  egress: Egress;
  sender: WebhookSender;
  /** The kinds of sources of pipes; each needs a connector. */
  kinds: SourceKinds;
  connectors: Connectors;
}
