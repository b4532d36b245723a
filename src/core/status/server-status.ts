import type { NodeStatus, ServerStatus } from '../../contract/status.ts';
import { shardCount } from '../../ports/store/alert-store.ts';
import type { Lease } from '../../ports/store/lease-store.ts';
import { nodeLostMs, type StoredNode } from '../../ports/store/node-store.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import { engineStatuses } from './engine-status.ts';

export interface ServerStatusDependencies {
  store: Pick<StoreReader, 'leases' | 'pipes'>;
  telemetry: Telemetry;
}

/** The processes and engines. Of pipes, only those of this workspace are named. */
export async function serverStatus(
  { store, telemetry }: ServerStatusDependencies,
  workspaceId: string,
  { nodes, nowMs }: { nodes: readonly StoredNode[]; nowMs: number },
): Promise<ServerStatus> {
  const [leases, pipes, engines] = await Promise.all([
    store.leases.held(),
    store.pipes.statuses(workspaceId),
    engineStatuses(telemetry),
  ]);
  const ownPipes = new Set(pipes.map(({ pipeId }) => pipeId));
  const evaluated = new Set(leases.flatMap(alertShardOf));
  return {
    nodes: nodes.map((node) =>
      nodeStatus(
        node,
        leases.filter(({ holder }) => holder === node.id),
        { nowMs, ownPipes },
      ),
    ),
    freeAlertShards: Array.from({ length: shardCount }, (_, shard) => shard).filter(
      (shard) => !evaluated.has(shard),
    ),
    engines,
  };
}

function nodeStatus(
  { id, version, roles, startedAtMs, seenAtMs, report }: StoredNode,
  leases: readonly Lease[],
  { nowMs, ownPipes }: { nowMs: number; ownPipes: ReadonlySet<string> },
): NodeStatus {
  const readers = leases.flatMap(pipeOf);
  return {
    id,
    host: report.host,
    processId: report.processId,
    version,
    roles: [...roles],
    state: nowMs - seenAtMs > nodeLostMs ? 'lost' : 'running',
    startedAt: new Date(startedAtMs).toISOString(),
    lastSeenAt: new Date(seenAtMs).toISOString(),
    memoryBytes: report.memoryBytes,
    ...(report.disk && { disk: report.disk }),
    alertShards: leases.flatMap(alertShardOf).toSorted((a, b) => a - b),
    pipeReaders: readers.length,
    pipes: [...new Set(readers)].filter((pipeId) => ownPipes.has(pipeId)),
  };
}

const alertShardOf = ({ name }: Lease): number[] => {
  const [, shard] = /^alerts\/(\d+)$/.exec(name) ?? [];
  return shard === undefined ? [] : [Number(shard)];
};

const pipeOf = ({ name }: Lease): string[] => {
  const [, pipeId] = /^pipe\/([^/]+)\/\d+$/.exec(name) ?? [];
  return pipeId === undefined ? [] : [pipeId];
};
