import {
  getStatus,
  type AlertsStatus,
  type OutboxStatus,
  type PipesStatus,
} from '../../contract/status.ts';
import type { Principal } from '../../ports/principal.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import { readVerb } from '../verb/verb.ts';
import { ingestStatus } from './ingest-status.ts';
import { serverStatus, type ServerStatusDependencies } from './server-status.ts';

export interface StatusDependencies extends ServerStatusDependencies {
  store: ServerStatusDependencies['store'] & Pick<StoreReader, 'identity' | 'nodes' | 'nowMs'>;
  version: string;
  /** The parts of a workspace, as the rooms that own them see them. */
  alerts(workspaceId: string, nowMs: number): Promise<AlertsStatus>;
  outbox(workspaceId: string): Promise<OutboxStatus>;
  pipes(workspaceId: string): Promise<PipesStatus>;
}

export function statusVerbs(deps: StatusDependencies) {
  const { store, version } = deps;
  return {
    getStatus: readVerb(getStatus, async ({ principal }) => {
      const { id, database } = principal.workspace;
      const [nowMs, nodes, showsServer] = await Promise.all([
        store.nowMs(),
        store.nodes.list(),
        isOperator(store, principal),
      ]);
      const [alerts, outbox, pipes, server] = await Promise.all([
        deps.alerts(id, nowMs),
        deps.outbox(id),
        deps.pipes(id),
        showsServer ? serverStatus(deps, id, { nodes, nowMs }) : undefined,
      ]);
      return {
        value: {
          version,
          time: new Date(nowMs).toISOString(),
          alerts,
          outbox,
          pipes,
          ingest: ingestStatus(nodes, database, nowMs),
          ...(server && { server }),
        },
      };
    }),
  };
}

/** Who runs the server is an admin of its first organization. Others are guests on it. */
async function isOperator(
  store: Pick<StoreReader, 'identity'>,
  { scopes, workspace }: Principal,
): Promise<boolean> {
  if (!scopes.has('server:read')) {
    return false;
  }
  const [first] = await store.identity.organizations();
  return first?.id === workspace.organizationId;
}
