import type { AuditEntry } from '../../ports/store/audit-store.ts';
import type { Clock, Ids } from '../../ports/ambient.ts';
import type { Store, StoreParts } from '../../ports/store/store.ts';
import type { StoreWriter } from '../../ports/store/store-access.ts';

/** What the audit trail says about one change of the operator. */
export interface OperatorLine {
  operation: string;
  object: { kind: string; id: string | null };
  organizationId: string;
  /** Absent for what belongs to an organization itself. */
  serviceId?: string;
}

/**
 * The only handle through which an operator writes without the API: by the command line or at first
 * start. Each `change` is a transaction of its own, except inside `together`.
 */
export interface OperatorChanges {
  /**
   * Makes one change and writes its audit line, both or neither.
   *
   * @param line describes the change that `work` made
   */
  change<T>(
    work: (store: StoreWriter) => Promise<T>,
    line: (result: T) => OperatorLine,
  ): Promise<T>;
  /** Makes several changes in one transaction. */
  together<T>(work: (changes: OperatorChanges) => Promise<T>): Promise<T>;
}

export interface OperatorDeps {
  store: Pick<Store, 'transaction'>;
  clock: Clock;
  ids: Ids;
  /** Id of the system actor in the audit trail, such as `command line`. */
  actor: string;
}

export function operatorChanges({ store, clock, ids, actor }: OperatorDeps): OperatorChanges {
  const inside = (parts: StoreParts): OperatorChanges => ({
    async change(work, line) {
      const result = await work(parts);
      const written = { id: ids.object(), atMs: clock.now(), actor };
      await parts.audit.append([entryOf(line(result), written)]);
      return result;
    },
    together: (work) => work(inside(parts)),
  });
  return {
    change: (work, line) => store.transaction((parts) => inside(parts).change(work, line)),
    together: (work) => store.transaction((parts) => work(inside(parts))),
  };
}

function entryOf(
  { operation, object, organizationId, serviceId }: OperatorLine,
  { id, atMs, actor }: { id: string; atMs: number; actor: string },
): AuditEntry {
  return {
    id,
    atMs,
    organizationId,
    serviceId: serviceId ?? null,
    actor: { kind: 'system', id: actor, name: null },
    operation,
    object,
    address: null,
    requestId: null,
    outcome: 'success',
    code: null,
    count: 1,
  };
}
