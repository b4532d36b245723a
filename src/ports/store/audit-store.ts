import type { ActivityOutcome, ActorKind } from '../../contract/audit.ts';

/** One line of the audit trail, as it is kept. */
export interface AuditEntry {
  /** Time-ordered. */
  id: string;
  atMs: number;
  /** Null where it is not known whose it would be: a credential nobody has. */
  organizationId: string | null;
  /** Null for what belongs to an organization itself. */
  serviceId: string | null;
  actor: { kind: ActorKind; id: string | null; name: string | null };
  operation: string;
  object: { kind: string; id: string | null };
  address: string | null;
  requestId: string | null;
  outcome: ActivityOutcome;
  /** Fault code; null for a success. */
  code: string | null;
  /** How many equal refusals this line stands for; 1 for a change. */
  count: number;
}

export interface AuditFilter {
  /** Undefined: of all organizations and of none (the operator's view). */
  organizationId?: string | undefined;
  serviceId?: string | undefined;
  fromMs?: number | undefined;
  /** Exclusive. */
  toMs?: number | undefined;
  actorKind?: ActorKind | undefined;
  actorId?: string | undefined;
  operation?: string | undefined;
  objectKind?: string | undefined;
  objectId?: string | undefined;
  outcome?: ActivityOutcome | undefined;
}

/**
 * The audit trail. Append-only: the store itself refuses to change a line, or to delete one of a
 * success.
 */
export interface AuditStore {
  append(entries: readonly AuditEntry[]): Promise<void>;
  /** Newest first. */
  list(
    filter: AuditFilter,
    page: { limit: number; offset: number },
  ): Promise<{ items: AuditEntry[]; total: number }>;
  /**
   * Deletes the oldest refusals beyond the newest `keep`; how many went. Successes stay for ever.
   */
  trimRefusals(keep: number): Promise<number>;
}
