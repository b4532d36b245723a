import { listActivities, type Activity, type ActivityQuery } from '../../contract/audit.ts';
import type { AuditEntry, AuditFilter } from '../../ports/store/audit-store.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import { readVerb } from '../verb/verb.ts';
import { compact } from '../verb/document.ts';

/** The audit trail of the organization that asks. */
export function auditVerbs({ store }: { store: StoreReader }) {
  return {
    listActivities: readVerb(listActivities, async ({ principal, query }) => {
      const { items, total } = await store.audit.list(
        { ...filterOf(query), organizationId: principal.workspace.organizationId },
        query,
      );
      return {
        value: items.map(activity),
        page: { total, limit: query.limit, offset: query.offset },
      };
    }),
  };
}

/** The operator's view: the activities of every organization, and of none. Newest first. */
export async function allActivities(
  store: Pick<StoreReader, 'audit'>,
  query: ActivityQuery & { organizationId?: string | undefined },
): Promise<{ items: (Activity & { organizationId?: string })[]; total: number }> {
  const { items, total } = await store.audit.list(
    { ...filterOf(query), organizationId: query.organizationId },
    query,
  );
  return {
    items: items.map((entry) => ({
      ...activity(entry),
      ...(entry.organizationId !== null && { organizationId: entry.organizationId }),
    })),
    total,
  };
}

function filterOf({
  from,
  to,
  limit: _limit,
  offset: _offset,
  ...equal
}: ActivityQuery): AuditFilter {
  return {
    ...equal,
    fromMs: from === undefined ? undefined : Date.parse(from),
    toMs: to === undefined ? undefined : Date.parse(to),
  };
}

function activity(entry: AuditEntry): Activity {
  return {
    id: entry.id,
    createdAt: new Date(entry.atMs).toISOString(),
    actor: { kind: entry.actor.kind, ...compact({ id: entry.actor.id, name: entry.actor.name }) },
    operation: entry.operation,
    object: { kind: entry.object.kind, ...compact({ id: entry.object.id }) },
    ...compact({ serviceId: entry.serviceId, address: entry.address, requestId: entry.requestId }),
    outcome: entry.outcome,
    ...compact({ code: entry.code }),
    count: entry.count,
  };
}
