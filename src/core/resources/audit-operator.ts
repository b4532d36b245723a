import type { AuditEntry } from '../../ports/audit-store.ts';
import type { Clock, Ids } from '../../ports/ambient.ts';
import type { Store, StoreParts } from '../../ports/store.ts';
import { observedStore, type Write } from './audit-observer.ts';

/** What the operator's changes are called on record, and what they are done to. */
const operations: Record<string, { operation: string; kind: string }> = {
  insertOrganization: { operation: 'createOrganization', kind: 'organization' },
  insertWorkspace: { operation: 'createService', kind: 'service' },
  insertUser: { operation: 'createUser', kind: 'user' },
  setPassword: { operation: 'setPassword', kind: 'user' },
  removeUser: { operation: 'deleteUser', kind: 'user' },
  insertAccessKey: { operation: 'createAccessKey', kind: 'accessKey' },
  removeAccessKey: { operation: 'deleteAccessKey', kind: 'accessKey' },
  setIngestionKey: { operation: 'rotateIngestionKey', kind: 'ingestionKey' },
  insertOrganizationKey: { operation: 'createKey', kind: 'key' },
  updateOrganizationKey: { operation: 'updateKey', kind: 'key' },
  removeOrganizationKey: { operation: 'deleteKey', kind: 'key' },
};

/**
 * The store for what an operator does without the API (command line, first start): every change to organizations, services, people and credentials
 * commits together with a line of the audit trail, whose actor is the system.
 */
export function operatorStore(
  store: Store,
  { clock, ids, actor }: { clock: Clock; ids: Ids; actor: string },
): Store {
  return observedStore(store, {
    wantsTransaction: () => false,
    async written(parts, writes) {
      for (const write of writes) {
        if (write.part === 'identity') {
          await parts.audit.append([
            await lineOf(parts, write, { id: ids.object(), atMs: clock.now(), actor }),
          ]);
        }
      }
    },
    committed() {},
  });
}

async function lineOf(
  parts: StoreParts,
  { method, args, createdId }: Write,
  { id, atMs, actor }: { id: string; atMs: number; actor: string },
): Promise<AuditEntry> {
  const { operation, kind } = operations[method] ?? { operation: method, kind: 'identity' };
  const { organizationId, serviceId } = await whose(parts, args[0]);
  const named = args.find((arg, index): arg is string => index > 0 && typeof arg === 'string');
  return {
    id,
    atMs,
    organizationId: organizationId ?? (kind === 'organization' ? (createdId ?? null) : null),
    serviceId: serviceId ?? null,
    actor: { kind: 'system', id: actor, name: null },
    operation,
    object: { kind, id: (kind === 'service' ? serviceId : createdId) ?? named ?? null },
    address: null,
    requestId: null,
    outcome: 'success',
    code: null,
    count: 1,
  };
}

/** The first argument is an organization's id, a workspace's id, or something that names one of them. */
async function whose(
  { identity }: StoreParts,
  first: unknown,
): Promise<{ organizationId?: string; serviceId?: string }> {
  const named =
    typeof first === 'object' && first !== null
      ? (first as { organizationId?: string; workspaceId?: string; serviceId?: string })
      : undefined;
  if (named?.organizationId !== undefined) {
    return {
      organizationId: named.organizationId,
      ...(named.serviceId !== undefined && { serviceId: named.serviceId }),
    };
  }
  const id = named ? named.workspaceId : typeof first === 'string' ? first : undefined;
  if (id === undefined) {
    return {};
  }
  const workspace = await identity.workspace(id);
  if (workspace) {
    return { organizationId: workspace.organizationId, serviceId: workspace.serviceId };
  }
  return (await identity.organization(id)) ? { organizationId: id } : {};
}
