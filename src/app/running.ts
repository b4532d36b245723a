import type { Alerting } from '../core/alerting/alerting.ts';
import type { AuditTrail } from '../core/audit/audit-trail.ts';
import type { Ingest } from '../core/otlp/ingest.ts';
import type { Supervisor } from '../core/pipes/run/supervisor.ts';
import type { Verb } from '../core/verb/verb.ts';
import type { ApiServer } from '../http/server.ts';
import type { KeyUsage } from '../http/auth/key-usage.ts';
import type { Ids, Vault } from '../ports/ambient.ts';
import type { Store } from '../ports/store/store.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { DemoShops } from './demo-shops.ts';

/** The parts of a started app, for a caller in the same process: tests and benchmarks. */
export interface Running {
  store: Store;
  telemetry: Telemetry;
  vault: Vault;
  ids: Ids;
  /** Each of the following is set if this process has its role; `api` also with the role `ui`. */
  api?: RunningApi;
  alerting?: Alerting;
  pipes?: Supervisor;
  ingest?: Ingest;
}

export interface RunningApi {
  /** Absent without the role `api`. */
  server?: ApiServer | undefined;
  /** Every verb of the managed surface, by its operation. */
  verbs: Readonly<Record<string, Verb>>;
  trail: AuditTrail;
  usage: KeyUsage;
  demoShops: DemoShops;
  /** Forgets what authentication remembers of keys and memberships. */
  identityChanged(): void;
}
