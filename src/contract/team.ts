import { z } from 'zod';
import { IdParams, NoBody, NoParams, NoQuery, ObjectId, Timestamp } from './common.ts';
import { operation } from './operation.ts';

export const Team = z
  .object({ id: ObjectId, name: z.string().meta({ description: 'Name of the team.' }) })
  .meta({ id: 'Team', example: { id: '65f0c1d2e3a4b5c6d7e8f900', name: 'Example shop' } });
export type Team = z.output<typeof Team>;

export const TeamChange = z
  .object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(255)
      .meta({ description: 'Name of the team (1–255 characters). Outer spaces are removed.' }),
  })
  .meta({ id: 'TeamChange' });

export const AccessKey = z
  .object({
    id: ObjectId,
    name: z.string().meta({ description: 'Name of the key.' }),
    keySuffix: z.string().meta({ description: 'Last four characters of the key, to identify it.' }),
    createdAt: Timestamp,
    usedAt: Timestamp.optional().meta({
      description: 'Time of last use, rounded to the minute. Absent if the key was never used.',
    }),
  })
  .meta({
    id: 'AccessKey',
    description: 'Personal API access key of the caller.',
    example: {
      id: '65f0c1d2e3a4b5c6d7e8f907',
      name: 'deploy script',
      keySuffix: 'x7Qd',
      createdAt: '2026-03-14T09:26:53.589Z',
      usedAt: '2026-03-14T09:30:00.000Z',
    },
  });
export type AccessKey = z.output<typeof AccessKey>;

export const NewAccessKey = AccessKey.extend({
  key: z.string().meta({ description: 'The key. Returned only once.' }),
}).meta({
  id: 'NewAccessKey',
  example: {
    id: '65f0c1d2e3a4b5c6d7e8f907',
    name: 'deploy script',
    keySuffix: 'x7Qd',
    createdAt: '2026-03-14T09:26:53.589Z',
    key: 'slp_EXAMPLE-NOT-A-KEY-x7Qd',
  },
});
export type NewAccessKey = z.output<typeof NewAccessKey>;

export const AccessKeyInput = z
  .object({
    name: z.string().min(1).max(255).meta({ description: 'Name of the key (1–255 characters).' }),
  })
  .meta({ id: 'AccessKeyInput' });
export type AccessKeyInput = z.output<typeof AccessKeyInput>;

export const IngestionKey = z
  .object({
    key: z.string().meta({
      description: 'Key that telemetry senders use. It does not authenticate API requests.',
    }),
    createdAt: Timestamp,
  })
  .meta({
    id: 'IngestionKey',
    example: { key: 'sli_EXAMPLE-NOT-A-KEY', createdAt: '2026-03-14T09:26:53.589Z' },
  });
export type IngestionKey = z.output<typeof IngestionKey>;

const Port = z.int().min(1).max(65_535).optional();

export const IngestionEndpoints = z
  .object({
    httpPort: Port.meta({ description: 'Port for OTLP over HTTP. Absent if unknown.' }),
    grpcPort: Port.meta({ description: 'Port for OTLP over gRPC. Absent if unknown.' }),
  })
  .meta({ id: 'IngestionEndpoints', example: { httpPort: 4318, grpcPort: 4317 } });
export type IngestionEndpoints = z.output<typeof IngestionEndpoints>;

const tag = 'Team';

export const getTeam = operation({
  name: 'getTeam',
  summary: "Get the caller's team",
  description: 'Returns the team of the user whose access key makes the request.',
  tag,
  scope: 'team:read',
  object: { kind: 'team' },
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  result: Team,
});
export const updateTeam = operation({
  name: 'updateTeam',
  summary: 'Rename the team',
  description:
    'The name of the team is also the name of its service. Takes effect immediately. ' +
    'Requires the role admin.',
  tag,
  scope: 'members:write',
  object: { kind: 'team' },
  params: NoParams,
  query: NoQuery,
  body: TeamChange,
  result: Team,
  faults: ['forbidden'],
  example: { name: 'Example shop' },
});
export const listAccessKeys = operation({
  name: 'listAccessKeys',
  summary: "List the caller's own API access keys",
  description: 'Returns the keys without their text, in creation order.',
  tag,
  scope: 'team:read',
  object: { kind: 'team' },
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  result: z.array(AccessKey),
  faults: ['forbidden'],
});
export const createAccessKey = operation({
  name: 'createAccessKey',
  summary: 'Create an API access key',
  description: 'Only this response contains the key.',
  tag,
  scope: 'team:write',
  object: { kind: 'team' },
  params: NoParams,
  query: NoQuery,
  body: AccessKeyInput,
  result: NewAccessKey,
  faults: ['forbidden'],
  example: { name: 'deploy script' },
});
export const deleteAccessKey = operation({
  name: 'deleteAccessKey',
  summary: 'Revoke an API access key',
  description: 'A key cannot revoke itself.',
  tag,
  scope: 'team:write',
  object: { kind: 'team', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: z.undefined(),
  faults: ['forbidden', 'not_found', 'conflict'],
});
export const getIngestionKey = operation({
  name: 'getIngestionKey',
  summary: 'Get the ingestion key',
  description: 'The audit trail records every call.',
  tag,
  scope: 'team:read',
  showsSecret: true,
  object: { kind: 'team' },
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  result: IngestionKey,
  faults: ['not_found'],
});
export const getIngestionEndpoints = operation({
  name: 'getIngestionEndpoints',
  summary: 'Get the ports that receive telemetry',
  description:
    'Ports of the server. A proxy or a load balancer in front of it may have other ports. ' +
    'A port is unknown if another process receives telemetry on any free port.',
  tag,
  scope: 'team:read',
  object: { kind: 'team' },
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  result: IngestionEndpoints,
});
export const rotateIngestionKey = operation({
  name: 'rotateIngestionKey',
  summary: 'Replace the ingestion key',
  description: 'Senders that use the old key are rejected immediately.',
  tag,
  scope: 'team:write',
  object: { kind: 'team' },
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  result: IngestionKey,
});
