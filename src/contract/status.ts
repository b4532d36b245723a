import { z } from 'zod';
import { ExecutionError } from './alert/alert.ts';
import { NoBody, NoParams, NoQuery, ObjectId, Timestamp, Uuid } from './common.ts';
import { operation } from './operation.ts';

/** The figures of `ingest` cover this time. */
export const ingestWindowSeconds = 300;
/** Maximum number of objects in each list of a team. */
export const listedMax = 20;
/** An alert is late if its evaluation is due for longer than this. */
export const lateAfterMs = 60_000;

const Bytes = z.number().min(0);

const AlertsStatus = z
  .object({
    total: z.int().meta({ description: 'Number of alerts.' }),
    lateCount: z.int().meta({
      description: 'Number of alerts whose evaluation is due for more than 1 minute.',
    }),
    late: z
      .array(
        z.object({
          id: ObjectId,
          name: z.string().meta({ description: 'Name of the alert; empty if it has none.' }),
          lateSeconds: z.number().meta({ description: 'Time since the evaluation was due.' }),
        }),
      )
      .meta({ description: 'The 20 latest alerts, the latest first.' }),
    brokenCount: z.int().meta({ description: 'Number of alerts with errors.' }),
    broken: z
      .array(
        z.object({
          id: ObjectId,
          name: z.string().meta({ description: 'Name of the alert; empty if it has none.' }),
          type: ExecutionError.shape.type,
          message: z.string().meta({ description: 'First error, and the action to take.' }),
          since: Timestamp,
        }),
      )
      .meta({
        description:
          'Alerts that cannot be evaluated, or whose notifications fail (at most 20, the oldest error first).',
      }),
  })
  .meta({ id: 'AlertsStatus', description: 'Evaluation of the alerts of the team.' });
export type AlertsStatus = z.output<typeof AlertsStatus>;

const OutboxStatus = z
  .object({
    waiting: z.int().meta({ description: 'Number of notifications that wait to be delivered.' }),
    oldestAt: Timestamp.optional().meta({
      description: 'Creation time of the oldest one. Absent if none waits.',
    }),
    webhooks: z
      .array(
        z.object({
          id: ObjectId,
          name: z.string().meta({ description: 'Name of the webhook.' }),
          waiting: z.int().meta({ description: 'Number of notifications for the webhook.' }),
          oldestAt: Timestamp,
        }),
      )
      .meta({
        description: 'Webhooks that notifications wait for (at most 20, the oldest first).',
      }),
  })
  .meta({
    id: 'OutboxStatus',
    description: 'Notifications of the team that are not delivered yet.',
  });
export type OutboxStatus = z.output<typeof OutboxStatus>;

const PipesStatus = z
  .object({
    total: z.int().meta({ description: 'Number of pipes.' }),
    failingCount: z.int().meta({ description: 'Number of pipes that do not work.' }),
    failing: z
      .array(
        z.object({
          id: Uuid,
          name: z.string().meta({ description: 'Name of the pipe.' }),
          state: z.enum(['Failed', 'Degraded', 'Deleting']).meta({
            description:
              '`Failed`: the pipe has stopped. `Degraded`: it retries. ' +
              '`Deleting`: its source cannot be cleaned up, and the server retries.',
          }),
          message: z.string().meta({
            description: 'Reason for the state, and the action to take. Empty if there is none.',
          }),
          since: Timestamp,
        }),
      )
      .meta({ description: 'Pipes that do not work (at most 20, failed ones first).' }),
  })
  .meta({ id: 'PipesStatus', description: 'Pipes of the team.' });
export type PipesStatus = z.output<typeof PipesStatus>;

const IngestStatus = z
  .object({
    windowSeconds: z.int().meta({ description: 'The figures cover this time until now.' }),
    storedRecords: z.int().meta({
      description: 'Number of log records, spans and data points that were stored.',
    }),
    recordsPerSecond: z.number().meta({ description: 'Average rate of stored records.' }),
    rejectedRecords: z.int().meta({
      description: 'Number of records that were refused for good, such as ones without a value.',
    }),
    refusedRequests: z.int().meta({
      description: 'Number of requests that were refused as a whole. Senders repeat most of them.',
    }),
    lastRefusal: z
      .object({ reason: z.string().meta({ description: 'Text of the answer.' }), at: Timestamp })
      .optional()
      .meta({ description: 'Last refusal of records or requests. Absent if there was none.' }),
  })
  .meta({
    id: 'IngestStatus',
    description: 'Telemetry that the OTLP receivers of all processes got for the team.',
  });
export type IngestStatus = z.output<typeof IngestStatus>;

const NodeStatus = z
  .object({
    id: z.string().meta({ description: 'Name under which the process holds leases.' }),
    host: z.string().meta({ description: 'Name of the machine or container.' }),
    processId: z.int().meta({ description: 'Id of the process on its machine.' }),
    version: z.string().meta({ description: 'Version of Sightline.' }),
    roles: z.array(z.string()).meta({ description: 'Roles of the process.' }),
    state: z.enum(['running', 'lost']).meta({
      description:
        '`lost`: no sign of life for 30 seconds. The server forgets a lost process after 1 hour.',
    }),
    startedAt: Timestamp,
    lastSeenAt: Timestamp,
    memoryBytes: Bytes.meta({ description: 'Resident memory of the process.' }),
    disk: z
      .object({
        freeBytes: Bytes.meta({ description: 'Free space.' }),
        totalBytes: Bytes.meta({ description: 'Size.' }),
      })
      .optional()
      .meta({
        description: 'Disk of the data directory. Absent if the process has no data there.',
      }),
    alertShards: z.array(z.int()).meta({
      description: 'Shards of alerts that the process evaluates.',
    }),
    pipeReaders: z.int().meta({ description: 'Number of pipe readers, of all teams.' }),
    pipes: z.array(Uuid).meta({ description: 'Pipes of the team that the process reads.' }),
  })
  .meta({ id: 'NodeStatus', description: 'A process of the server.' });
export type NodeStatus = z.output<typeof NodeStatus>;

const EngineStatus = z
  .object({
    shard: z.string().optional().meta({
      description: 'Shard of the ClickHouse cluster, `host:port`. Absent without a cluster.',
    }),
    disks: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Name of the disk in the engine.' }),
          freeBytes: Bytes.meta({ description: 'Free space.' }),
          totalBytes: Bytes.meta({ description: 'Size.' }),
        }),
      )
      .optional()
      .meta({ description: 'Local disks. Absent if the engine did not tell.' }),
    memory: z
      .object({
        usedBytes: Bytes.meta({ description: 'Memory in use.' }),
        limitBytes: Bytes.optional().meta({ description: 'Limit. Absent if there is none.' }),
      })
      .optional()
      .meta({ description: 'Memory. Absent if the engine did not tell.' }),
    parts: z
      .object({
        active: z.int().meta({ description: 'Number of parts, of all tables.' }),
        mostInPartition: z.int().meta({
          description:
            'Number of parts of the partition that has most. The engine delays inserts at 1000.',
        }),
        broken: z.int().meta({
          description:
            'Number of parts that the engine cannot read. Queries do not see their rows.',
        }),
        detached: z.int().meta({ description: 'Number of other parts that were set aside.' }),
      })
      .optional()
      .meta({ description: 'Parts of tables. Absent if the engine did not tell.' }),
    errors: z.array(z.string()).meta({
      description: 'Why figures are absent, and the action to take. Empty if none is.',
    }),
  })
  .meta({
    id: 'EngineStatus',
    description: 'A telemetry engine: one for each shard of a cluster.',
  });
export type EngineStatus = z.output<typeof EngineStatus>;

const ServerStatus = z
  .object({
    nodes: z.array(NodeStatus).meta({
      description: 'Processes that share the metadata store, in the order of their starts.',
    }),
    freeAlertShards: z.array(z.int()).meta({
      description: 'Shards (0–15) of alerts that no process evaluates.',
    }),
    engines: z.array(EngineStatus).meta({ description: 'Telemetry engines.' }),
  })
  .meta({ id: 'ServerStatus', description: 'The machines, of all teams together.' });
export type ServerStatus = z.output<typeof ServerStatus>;

export const Status = z
  .object({
    version: z.string().meta({ description: 'Version of the process that responds.' }),
    time: Timestamp.meta({ description: 'Time of the response.' }),
    alerts: AlertsStatus,
    outbox: OutboxStatus,
    pipes: PipesStatus,
    ingest: IngestStatus,
    server: ServerStatus.optional().meta({
      description:
        'Only for users with the role admin in the organization of the first start. ' +
        'It names no object of another team.',
    }),
  })
  .meta({ id: 'Status', example: statusExample() });
export type Status = z.output<typeof Status>;

function statusExample() {
  return {
    version: '1.0.0',
    time: '2026-03-14T09:26:53.589Z',
    alerts: { total: 12, lateCount: 0, late: [], brokenCount: 0, broken: [] },
    outbox: {
      waiting: 2,
      oldestAt: '2026-03-14T09:21:00.000Z',
      webhooks: [
        {
          id: '65f0c1d2e3a4b5c6d7e8f905',
          name: 'ops',
          waiting: 2,
          oldestAt: '2026-03-14T09:21:00.000Z',
        },
      ],
    },
    pipes: {
      total: 3,
      failingCount: 1,
      failing: [
        {
          id: '3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b',
          name: 'orders',
          state: 'Failed' as const,
          message: 'the broker refuses the password. Correct it, then start the pipe.',
          since: '2026-03-14T08:00:00.000Z',
        },
      ],
    },
    ingest: {
      windowSeconds: ingestWindowSeconds,
      storedRecords: 364_500,
      recordsPerSecond: 1215,
      rejectedRecords: 0,
      refusedRequests: 0,
    },
    server: {
      nodes: [
        {
          id: 'embedded',
          host: 'sightline-0',
          processId: 7,
          version: '1.0.0',
          roles: ['api', 'ui', 'ingest', 'alerts', 'pipes'],
          state: 'running' as const,
          startedAt: '2026-03-13T07:00:00.000Z',
          lastSeenAt: '2026-03-14T09:26:50.000Z',
          memoryBytes: 310_378_496,
          disk: { freeBytes: 61_203_283_968, totalBytes: 107_374_182_400 },
          alertShards: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
          pipeReaders: 2,
          pipes: ['7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f'],
        },
      ],
      freeAlertShards: [],
      engines: [
        {
          disks: [{ name: 'default', freeBytes: 61_203_283_968, totalBytes: 107_374_182_400 }],
          memory: { usedBytes: 734_003_200, limitBytes: 3_435_973_836 },
          parts: { active: 412, mostInPartition: 9, broken: 0, detached: 0 },
          errors: [],
        },
      ],
    },
  };
}

export const getStatus = operation({
  name: 'getStatus',
  summary: 'Get the health of the server and of the work for the team',
  tag: 'Status',
  scope: 'team:read',
  object: { kind: 'status' },
  description:
    'Late and broken alerts, waiting notifications, failing pipes and received telemetry of the ' +
    'team. Admins also get the processes of the server and its telemetry engines. ' +
    'A part that does not respond is named in its place.',
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  result: Status,
});
