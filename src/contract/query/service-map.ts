import { z } from 'zod';
import { NoParams, NoQuery, ObjectId } from '../common.ts';
import { operation } from '../operation.ts';
import { rowConditions } from './filter.ts';
import { orderedRange, range } from './range.ts';

/** Maximum number of services, and of edges, in a map. */
export const mapMax = 1000;

export const ServiceMapRequest = z
  .object({
    sourceId: ObjectId.meta({ description: 'Trace source to read.' }),
    ...rowConditions,
    ...range,
  })
  .superRefine(orderedRange)
  .meta({ id: 'ServiceMapRequest' });
export type ServiceMapRequest = z.output<typeof ServiceMapRequest>;

export const NodeKind = z.enum(['service', 'database', 'messaging', 'external']).meta({
  id: 'ServiceNodeKind',
  description:
    '`service`: sends spans. The others are only known from the attributes of calls. `database`: has ' +
    '`db.system`. `messaging`: has `messaging.system`. `external`: only has a name or an address.',
});
export type NodeKind = z.infer<typeof NodeKind>;

const text = (description: string) => z.string().meta({ description });
const count = (description: string) => z.int().min(0).meta({ description });
const nanos = (level: string) =>
  z
    .number()
    .optional()
    .meta({ description: `${level} of the durations, in nanoseconds.` });

const figures = {
  calls: count('Number of calls, estimated from the sample if `sampleShare` is less than 1.'),
  errors: count('Number of calls with the status error, estimated in the same way.'),
  p50Nanos: nanos('Median'),
  p95Nanos: nanos('95th percentile'),
  p99Nanos: nanos('99th percentile'),
};

const ServiceNode = z
  .object({
    name: text(
      'Name of the service. Otherwise `peer.service`, the system with its database or destination, ' +
        'or the address.',
    ),
    kind: NodeKind,
    ...figures,
    calls: count(
      'Number of calls. Of a service: spans of the kinds server and consumer, and spans without a ' +
        'parent. Otherwise: calls of all edges that end here. Estimated as in edges.',
    ),
  })
  .meta({
    id: 'ServiceNode',
    description: 'Durations are absent if there is no call, and if the kind is not `service`.',
  });
export type ServiceNode = z.output<typeof ServiceNode>;

const ServiceEdge = z
  .object({
    caller: text('Name of the service that calls.'),
    callee: text('Name of the node that is called.'),
    calleeKind: NodeKind,
    ...figures,
  })
  .meta({ id: 'ServiceEdge' });
export type ServiceEdge = z.output<typeof ServiceEdge>;

export const ServiceMap = z
  .object({
    nodes: z.array(ServiceNode).meta({ description: 'Nodes, most calls first.' }),
    edges: z.array(ServiceEdge).meta({ description: 'Calls between nodes, most calls first.' }),
    sampleShare: z.number().meta({
      description:
        'Share of the traces that were read, such as 0.25. All of them (1) if there are at most ' +
        '500,000 spans in the range and 5 minutes before and after it.',
    }),
    truncated: z.boolean().meta({
      description: 'Whether services or edges are missing, because there are more than 1000.',
    }),
  })
  .meta({
    id: 'ServiceMap',
    example: {
      nodes: [
        {
          name: 'checkout',
          kind: 'service',
          calls: 120,
          errors: 3,
          p50Nanos: 41_000_000,
          p95Nanos: 96_000_000,
          p99Nanos: 180_000_000,
        },
        { name: 'postgresql orders', kind: 'database', calls: 240, errors: 0 },
      ],
      edges: [
        {
          caller: 'checkout',
          callee: 'postgresql orders',
          calleeKind: 'database',
          calls: 240,
          errors: 0,
          p50Nanos: 2_100_000,
          p95Nanos: 6_300_000,
          p99Nanos: 9_900_000,
        },
      ],
      sampleShare: 1,
      truncated: false,
    },
  });
export type ServiceMap = z.output<typeof ServiceMap>;

export const queryServiceMap = operation({
  name: 'queryServiceMap',
  summary: 'Query the map of services',
  tag: 'Services',
  scope: 'telemetry:query',
  object: { kind: 'search' },
  description:
    'Returns the services of a trace source and the calls between them: spans whose parent belongs to ' +
    'another service. Client spans that no service answers lead to databases, brokers and other ' +
    'systems. Only spans that match the conditions count.',
  params: NoParams,
  query: NoQuery,
  body: ServiceMapRequest,
  result: ServiceMap,
  faults: ['not_found', 'timeout'],
  measured: true,
  example: {
    sourceId: '65f0c1d2e3a4b5c6d7e8f902',
    startTime: 1_767_225_600_000,
    endTime: 1_767_229_200_000,
    filters: [
      {
        type: 'field',
        field: 'ResourceAttributes.deployment.environment.name',
        op: 'is',
        values: ['production'],
      },
    ],
  },
});
