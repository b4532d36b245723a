import { z } from 'zod';
import { NoBody, NoParams, NoQuery, ObjectId, PageQuery, Timestamp, Uuid } from './common.ts';
import { operation } from './operation.ts';

export const Organization = z
  .object({
    id: Uuid,
    name: z.string().meta({ description: 'Name of the organization.' }),
    createdAt: Timestamp,
  })
  .meta({
    id: 'Organization',
    example: {
      id: '7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f',
      name: 'Example shop',
      createdAt: '2026-03-14T09:26:53.589Z',
    },
  });
export type Organization = z.output<typeof Organization>;

export const Service = z
  .object({
    id: Uuid,
    name: z.string().meta({ description: 'Name of the service.' }),
    state: z.enum(['running', 'degraded']).meta({
      description: '`running` if the telemetry engine responds, otherwise `degraded`.',
    }),
    organizationId: Uuid,
    team: ObjectId.meta({
      description: 'Team that owns the same objects on the open-source surface.',
    }),
    database: z
      .string()
      .meta({ description: "Telemetry database that the service's sources read." }),
    createdAt: Timestamp,
  })
  .meta({
    id: 'Service',
    example: {
      id: '3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b',
      name: 'production',
      state: 'running',
      organizationId: '7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f',
      team: '65f0c1d2e3a4b5c6d7e8f900',
      database: 'telemetry',
      createdAt: '2026-03-14T09:26:53.589Z',
    },
  });
export type Service = z.output<typeof Service>;

const Name = z.string().trim().min(1).max(255);

export const OrganizationChange = z
  .object({
    name: Name.optional().meta({
      description: 'Name of the organization (1–255 characters). Outer spaces are removed.',
    }),
  })
  .meta({ id: 'OrganizationChange' });

const serviceName = {
  description: 'Name of the service (1–255 characters). Outer spaces are removed.',
};
export const ServiceInput = z.object({ name: Name.meta(serviceName) }).meta({ id: 'ServiceInput' });
export const ServiceChange = z
  .object({ name: Name.optional().meta(serviceName) })
  .meta({ id: 'ServiceChange' });

export const NewService = Service.extend({
  ingestionKey: z.string().meta({
    description:
      'Key that telemetry senders use. The team of the service can show it again ' +
      '(`GET /api/v2/team/ingestion-key`).',
  }),
}).meta({
  id: 'NewService',
  example: {
    id: '3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b',
    name: 'staging',
    state: 'running',
    organizationId: '7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f',
    team: '65f0c1d2e3a4b5c6d7e8f900',
    database: 'sightline_3c6e0b8a',
    createdAt: '2026-03-14T09:26:53.589Z',
    ingestionKey: 'sli_EXAMPLE-NOT-A-KEY',
  },
});
export type NewService = z.output<typeof NewService>;

const ServiceParams = z.object({ serviceId: Uuid });
const OrganizationParams = z.object({ organizationId: Uuid });
const shared = {
  tag: 'Organizations',
  scope: 'organization:read',
  object: { kind: 'organization' },
  query: NoQuery,
  body: NoBody,
} as const;

export const listOrganizations = operation({
  ...shared,
  name: 'listOrganizations',
  summary: 'List the organizations of the key',
  description: 'Returns the one organization that the key belongs to.',
  params: NoParams,
  query: PageQuery,
  result: z.array(Organization),
});
export const getOrganization = operation({
  ...shared,
  name: 'getOrganization',
  object: { kind: 'organization', id: 'organizationId' },
  summary: 'Get an organization',
  description: 'Returns the organization that the key belongs to.',
  params: OrganizationParams,
  result: Organization,
});
export const listServices = operation({
  ...shared,
  name: 'listServices',
  summary: 'List the services of an organization',
  description: 'Returns the services of the organization, in creation order.',
  params: NoParams,
  query: PageQuery,
  result: z.array(Service),
});
export const getService = operation({
  ...shared,
  name: 'getService',
  object: { kind: 'organization', id: 'serviceId' },
  summary: 'Get a service',
  description: 'Returns one service of the organization.',
  params: ServiceParams,
  result: Service,
});

const write = {
  tag: 'Organizations',
  scope: 'organization:write',
  object: { kind: 'organization' },
  query: NoQuery,
} as const;

export const updateOrganization = operation({
  ...write,
  name: 'updateOrganization',
  object: { kind: 'organization', id: 'organizationId' },
  summary: 'Rename the organization',
  description: 'Takes effect immediately. Ids and keys stay the same.',
  params: OrganizationParams,
  body: OrganizationChange,
  result: Organization,
  faults: ['forbidden'],
  example: { name: 'Example shop' },
});
export const createService = operation({
  ...write,
  name: 'createService',
  summary: 'Create a service',
  description:
    'Creates a service with a telemetry database of its own, sources over the tables of that ' +
    'database, and an ingestion key. An organization has at most 100 services.',
  params: NoParams,
  body: ServiceInput,
  result: NewService,
  faults: ['forbidden'],
  example: { name: 'staging' },
});
export const updateService = operation({
  ...write,
  name: 'updateService',
  object: { kind: 'organization', id: 'serviceId' },
  summary: 'Rename a service',
  description:
    'The name of the service is also the name of its team. Takes effect immediately. ' +
    'The telemetry database keeps its name.',
  params: ServiceParams,
  body: ServiceChange,
  result: Service,
  faults: ['forbidden'],
  example: { name: 'production' },
});
