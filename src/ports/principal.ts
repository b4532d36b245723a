import type { Scope } from '../contract/operation.ts';

/**
 * Whose data. An open-source team and a managed service are the same workspace: `id` is the team's
 * id, `serviceId` the service's. `database` is the telemetry database its sources read by default.
 */
export interface Workspace {
  id: string;
  name: string;
  serviceId: string;
  organizationId: string;
  database: string;
  /** Other databases that the operator lists for the pipes of the workspace. */
  listedDatabases: readonly string[];
}

export type Subject =
  | { kind: 'user'; id: string; email: string }
  | { kind: 'key'; id: string; name: string }
  | { kind: 'system'; id: string }
  /** Nobody yet: a caller who signs in. */
  | { kind: 'anonymous'; id: '' };

/** Who asks, for which workspace, with which scopes. */
export interface Principal {
  workspace: Workspace;
  scopes: ReadonlySet<Scope>;
  subject: Subject;
  /**
   * Id of the credential that was shown: what rate limits and idempotency keys go by. Undefined for
   * the system itself.
   */
  credential?: string;
  /** The caller's address, for the audit trail; undefined for the system itself. */
  address?: string;
}
