import { z } from 'zod';
import { NoBody, NoParams, NoQuery, PageQuery, Timestamp, Uuid } from './common.ts';
import { operation, scopes, type Scope } from './operation.ts';

export const keyRoles = ['admin', 'developer', 'query_endpoints'] as const;
export const KeyRole = z.enum(keyRoles).meta({
  id: 'KeyRole',
  description:
    '`admin` can perform every operation of its organization. ' +
    '`developer` can read everything and can change dashboards, alerts and saved searches. ' +
    '`query_endpoints` has no permissions in this API.',
});
export type KeyRole = z.infer<typeof KeyRole>;

/** The scopes of each role. Several roles add up. */
const scopesOfRole = {
  admin: scopes.filter((scope) => !/^(?:session|members|demo|server):/.test(scope)),
  developer: [
    'stack:read',
    'stack:write',
    'team:read',
    'telemetry:query',
    'organization:read',
    'keys:read',
    'pipes:read',
    'audit:read',
  ],
  query_endpoints: [],
} as const satisfies Record<KeyRole, readonly Scope[]>;

/** The scopes of a set of roles. */
export function scopesOfRoles(roles: readonly KeyRole[]): ReadonlySet<Scope> {
  return new Set(roles.flatMap((role): readonly Scope[] => scopesOfRole[role]));
}

const Roles = z.array(KeyRole).min(1, 'must have at least 1 element');

/** null, empty or absent: never. */
const ExpireAt = z
  .union(
    [z.literal('').transform(() => null), z.iso.datetime({ offset: true }), z.null()],
    'must be an ISO 8601 date-time with an offset, or null',
  )
  .meta({
    description:
      'Expiry time, ISO 8601 with an offset. If null, empty or absent, the key never expires.',
    example: '2027-01-01T00:00:00Z',
  });

/** Base64 of 32 bytes: 43 characters, of which the last carries only four bits, and one `=`. */
const Sha256 = z
  .string()
  .regex(
    /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/,
    'must be the standard base64 of a SHA-256 digest (44 characters)',
  );

const HashData = z
  .object({
    keyIdHash: Sha256.meta({ description: 'Base64 of the SHA-256 digest of the key id' }),
    keyIdSuffix: z
      .string()
      .regex(/^[!-9;-~]{4}$/, 'must be the last 4 characters of the key id')
      .meta({ description: 'Last 4 characters of the key id.' }),
    keySecretHash: Sha256.meta({ description: 'Base64 of the SHA-256 digest of the key secret' }),
  })
  .meta({
    id: 'KeyHashData',
    description:
      'Hashes of a key id and secret that only the caller knows. Requires all three fields.',
  });

/**
 * An IPv4 or IPv6 address or CIDR. An IPv6 entry admits IPv4 callers only as `::ffff:…` (mapped
 * addresses).
 */
export const IpSource = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  'must be an IPv4 or IPv6 address or CIDR',
);
const IpAccessEntry = z
  .object({
    source: IpSource.meta({ description: 'IPv4 or IPv6 address, or CIDR block.' }),
    description: z
      .string()
      .max(255)
      .optional()
      .meta({ description: 'Note about the address (at most 255 characters).' }),
  })
  .meta({ id: 'IpAccessEntry', example: { source: '203.0.113.0/24', description: 'Office' } });
const IpAccessList = z.array(IpAccessEntry).max(255).meta({
  description: 'Addresses that can use the key (at most 255 entries). If empty, every address can.',
});

const KeyName = z.string().max(255);
const KeyState = z.enum(['enabled', 'disabled']).meta({ id: 'KeyState' });

export const KeyCreateBody = z
  .object({
    name: KeyName.default('').meta({
      description: 'Name of the key (at most 255 characters, default empty).',
    }),
    expireAt: ExpireAt.optional(),
    state: KeyState.default('enabled'),
    hashData: HashData.optional(),
    roles: Roles.default(['developer']).meta({
      description: 'Roles of the key, at least one (default `developer`).',
    }),
    ipAccessList: IpAccessList.default([]),
  })
  .meta({ id: 'KeyCreateBody' });
export type KeyCreateBody = z.output<typeof KeyCreateBody>;

export const KeyUpdateBody = z
  .object({
    name: KeyName.optional().meta({ description: 'Name of the key (at most 255 characters).' }),
    roles: Roles.optional().meta({
      description: 'Roles of the key, at least one. Replaces the stored list.',
    }),
    expireAt: ExpireAt.optional(),
    state: KeyState.optional(),
    ipAccessList: IpAccessList.optional(),
  })
  .meta({ id: 'KeyUpdateBody' });
export type KeyUpdateBody = z.output<typeof KeyUpdateBody>;

const keyExample = {
  id: '5d2f8a1c-6b7e-4f90-a1c2-d3e4f5061728',
  name: 'Deployments',
  state: 'enabled',
  roles: ['developer'],
  keySuffix: 'Zk3f',
  createdAt: '2026-03-14T09:26:53.589Z',
  expireAt: '2027-01-01T00:00:00.000Z',
  ipAccessList: [{ source: '203.0.113.0/24', description: 'Office' }],
};

export const Key = z
  .object({
    id: Uuid,
    name: z.string().meta({ description: 'Name of the key.' }),
    state: KeyState,
    roles: z.array(KeyRole).meta({ description: 'Roles of the key.' }),
    keySuffix: z.string().meta({ description: 'Last 4 characters of the key id.' }),
    createdAt: Timestamp,
    expireAt: Timestamp.nullable().meta({
      description: 'Expiry time; `null` if the key never expires.',
    }),
    usedAt: Timestamp.optional().meta({
      description: 'Time of last use, rounded to the minute. Absent if the key was never used.',
    }),
    ipAccessList: z
      .array(IpAccessEntry)
      .meta({ description: 'Addresses that can use the key. If empty, every address can.' }),
  })
  .meta({ id: 'Key', example: keyExample });
export type Key = z.output<typeof Key>;

export const CreatedKey = z
  .object({
    key: Key,
    keyId: z.string().optional().meta({
      description:
        'User name for HTTP Basic authentication. Returned only once; absent if `hashData` was sent.',
    }),
    keySecret: z.string().optional().meta({
      description:
        'Password for HTTP Basic authentication. Returned only once; absent if `hashData` was sent.',
    }),
  })
  .meta({
    id: 'CreatedKey',
    example: { key: keyExample, keyId: 'EXAMPLENOTAKEYIDZk3f', keySecret: 'EXAMPLE-NOT-A-SECRET' },
  });
export type CreatedKey = z.output<typeof CreatedKey>;

const KeyParams = z.object({ keyId: Uuid });
const shared = { tag: 'Keys', query: NoQuery } as const;

export const listKeys = operation({
  ...shared,
  name: 'listKeys',
  summary: 'List API keys',
  description: 'Returns the keys of the organization without their secrets, in creation order.',
  scope: 'keys:read',
  object: { kind: 'key' },
  params: NoParams,
  query: PageQuery,
  body: NoBody,
  result: z.array(Key),
});
export const getKey = operation({
  ...shared,
  name: 'getKey',
  summary: 'Get an API key',
  description: 'Returns the key without its secret.',
  scope: 'keys:read',
  object: { kind: 'key', id: 'keyId' },
  params: KeyParams,
  body: NoBody,
  result: Key,
  versioned: true,
  faults: ['not_found'],
});
export const createKey = operation({
  ...shared,
  name: 'createKey',
  summary: 'Create an API key',
  scope: 'keys:write',
  object: { kind: 'key' },
  description:
    'Only this response contains the key id and secret. An organization can have at most 100 keys.',
  params: NoParams,
  body: KeyCreateBody,
  result: CreatedKey,
  versioned: true,
  faults: ['conflict'],
  example: {
    name: 'Deployments',
    roles: ['developer'],
    expireAt: '2027-01-01T00:00:00Z',
    ipAccessList: [{ source: '203.0.113.0/24', description: 'Office' }],
  },
});
export const updateKey = operation({
  ...shared,
  name: 'updateKey',
  summary: 'Update an API key',
  scope: 'keys:write',
  object: { kind: 'key', id: 'keyId' },
  description:
    'Omitted fields keep their value; lists are replaced as a whole. Takes effect immediately.',
  params: KeyParams,
  body: KeyUpdateBody,
  result: Key,
  versioned: true,
  faults: ['not_found'],
  example: { state: 'disabled' },
});
export const deleteKey = operation({
  ...shared,
  name: 'deleteKey',
  summary: 'Delete an API key',
  scope: 'keys:write',
  object: { kind: 'key', id: 'keyId' },
  description: 'Takes effect immediately. A key cannot delete itself.',
  params: KeyParams,
  body: NoBody,
  result: NoBody,
  faults: ['not_found', 'conflict'],
});
