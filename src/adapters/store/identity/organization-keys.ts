import { Fault } from '../../../contract/errors.ts';
import type {
  IdentityStore,
  KeyRole,
  OrganizationKey,
} from '../../../ports/store/identity-store.ts';
import { changing, inserted, optional } from './identity-change.ts';
import type { Schema } from '../statements/schema.ts';
import type { Session } from '../statements/session.ts';
import { statement, valuesOf } from '../statements/statement.ts';

/** How many keys an organization may have. */
export const organizationKeysMax = 100;

type OrganizationKeys = Pick<
  IdentityStore,
  | 'insertOrganizationKey'
  | 'organizationKey'
  | 'organizationKeys'
  | 'organizationKeyByIdHash'
  | 'updateOrganizationKey'
  | 'removeOrganizationKey'
  | 'touchKeys'
>;

/** The API keys of organizations, and the last use of every kind of key. */
export function createOrganizationKeys(session: Session): OrganizationKeys {
  return {
    insertOrganizationKey: (key) => changing(session, (inside) => insert(inside, key)),
    organizationKey: async (organizationId, id) =>
      optional(await session.first(selectOne, { organizationId, id }), organizationKey),
    organizationKeys: async (organizationId, page) => ({
      items: (await session.all(selectPage, { organizationId, ...page })).map(organizationKey),
      total: await countKeys(session, organizationId),
    }),
    organizationKeyByIdHash: async (keyIdHash) =>
      optional(await session.first(selectByIdHash, { keyIdHash }), organizationKey),
    updateOrganizationKey: (organizationId, id, expectedVersion, change) =>
      changing(session, async (inside) => {
        const query = inside.queries.global
          .updateTable('organization_keys')
          .set((eb) => ({ ...changed(change), version: eb('version', '+', 1) }))
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .where('version', '=', expectedVersion)
          .returning(columns);
        return optional((await inside.execute(query)).rows[0], organizationKey);
      }),
    removeOrganizationKey: (organizationId, id, expectedVersion) =>
      changing(session, async (inside) => {
        const query = inside.queries.global
          .deleteFrom('organization_keys')
          .where('id', '=', id)
          .where('organization_id', '=', organizationId);
        return (
          (
            await inside.execute(
              expectedVersion === undefined ? query : query.where('version', '=', expectedVersion),
            )
          ).changes > 0
        );
      }),
    touchKeys: (uses) =>
      uses.length === 0
        ? Promise.resolve()
        : session.atomically(async (inside) => {
            // In one order on every node, so that two of them cannot wait for each other.
            for (const { kind, id, usedAtMs } of uses.toSorted((a, b) =>
              a.kind + a.id < b.kind + b.id ? -1 : 1,
            )) {
              await inside.run(touches[kind], {
                id,
                usedAtMs,
              });
            }
          }),
  };
}

type Row = Schema['organization_keys'];

/** Named one by one: a prepared `*` breaks on a running process when a newer one adds a column. */
const columns = [
  'id',
  'organization_id',
  'name',
  'key_id_hash',
  'key_secret_hash',
  'key_suffix',
  'roles',
  'state',
  'created_at_ms',
  'expire_at_ms',
  'used_at_ms',
  'ip_access_list',
  'version',
] as const;

const insertOne = statement<Omit<Row, 'created_at_ms' | 'used_at_ms' | 'version'>>()(
  ({ global, now }, given) =>
    global
      .insertInto('organization_keys')
      .values({
        ...valuesOf(given, givenColumns),
        created_at_ms: now,
        used_at_ms: null,
        version: 1,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(columns),
);

const selectOne = statement<{ organizationId: string; id: string }>()(
  ({ global }, { organizationId, id }) =>
    global
      .selectFrom('organization_keys')
      .select(columns)
      .where('id', '=', id)
      .where('organization_id', '=', organizationId),
);

const selectPage = statement<{ organizationId: string; limit: number; offset: number }>()(
  ({ global }, { organizationId, limit, offset }) =>
    global
      .selectFrom('organization_keys')
      .select(columns)
      .where('organization_id', '=', organizationId)
      .orderBy('created_at_ms')
      .orderBy('id')
      .limit(limit)
      .offset(offset),
);

const count = statement<{ organizationId: string }>()(({ global }, { organizationId }) =>
  global
    .selectFrom('organization_keys')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId),
);

const selectByIdHash = statement<{ keyIdHash: string }>()(({ global }, { keyIdHash }) =>
  global.selectFrom('organization_keys').select(columns).where('key_id_hash', '=', keyIdHash),
);

const lockOrganization = statement<{ id: string }>()(({ global, dialect }, { id }) => {
  const one = global.selectFrom('organizations').select('id').where('id', '=', id);
  return dialect === 'postgres' ? one.forNoKeyUpdate() : one;
});

const touchAccessKey = statement<{ id: string; usedAtMs: number }>()(
  ({ global }, { id, usedAtMs }) =>
    global
      .updateTable('access_keys')
      .set({ used_at_ms: usedAtMs })
      .where('id', '=', id)
      .where((eb) => eb.or([eb('used_at_ms', 'is', null), eb('used_at_ms', '<', usedAtMs)])),
);

const touchOrganizationKey = statement<{ id: string; usedAtMs: number }>()(
  ({ global }, { id, usedAtMs }) =>
    global
      .updateTable('organization_keys')
      .set({ used_at_ms: usedAtMs })
      .where('id', '=', id)
      .where((eb) => eb.or([eb('used_at_ms', 'is', null), eb('used_at_ms', '<', usedAtMs)])),
);

const touchSession = statement<{ id: string; usedAtMs: number }>()(({ global }, { id, usedAtMs }) =>
  global
    .updateTable('sessions')
    .set({ used_at_ms: usedAtMs })
    .where('id', '=', id)
    .where('used_at_ms', '<', usedAtMs),
);

const touches = {
  access: touchAccessKey,
  organization: touchOrganizationKey,
  session: touchSession,
};

/**
 * The organization's row is locked first: of two callers that add the 100th key, one is refused.
 */
async function insert(
  session: Session,
  key: Parameters<OrganizationKeys['insertOrganizationKey']>[0],
): Promise<OrganizationKey> {
  if (!(await session.first(lockOrganization, { id: key.organizationId }))) {
    throw new Fault('not_found', 'organization not found');
  }
  if ((await countKeys(session, key.organizationId)) >= organizationKeysMax) {
    throw new Fault(
      'bad_request',
      `an organization has at most ${organizationKeysMax} keys; delete one first`,
    );
  }
  return organizationKey(
    inserted(
      await session.first(insertOne, {
        id: key.id,
        organization_id: key.organizationId,
        name: key.name,
        key_id_hash: key.keyIdHash,
        key_secret_hash: key.keySecretHash,
        key_suffix: key.keySuffix,
        roles: JSON.stringify(key.roles),
        state: key.state,
        expire_at_ms: key.expireAtMs,
        ip_access_list: JSON.stringify(key.ipAccessList),
      }),
      'a key with this id',
    ),
  );
}

const givenColumns = [
  'id',
  'organization_id',
  'name',
  'key_id_hash',
  'key_secret_hash',
  'key_suffix',
  'roles',
  'state',
  'expire_at_ms',
  'ip_access_list',
] as const;

async function countKeys(session: Session, organizationId: string): Promise<number> {
  return (await session.first(count, { organizationId }))?.total ?? 0;
}

function changed({
  name,
  roles,
  state,
  expireAtMs,
  ipAccessList,
}: Parameters<OrganizationKeys['updateOrganizationKey']>[3]): Partial<Row> {
  return {
    ...(name !== undefined && { name }),
    ...(roles !== undefined && { roles: JSON.stringify(roles) }),
    ...(state !== undefined && { state }),
    ...(expireAtMs !== undefined && { expire_at_ms: expireAtMs }),
    ...(ipAccessList !== undefined && { ip_access_list: JSON.stringify(ipAccessList) }),
  };
}

function organizationKey(row: Row): OrganizationKey {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    keyIdHash: row.key_id_hash,
    keySecretHash: row.key_secret_hash,
    keySuffix: row.key_suffix,
    roles: JSON.parse(row.roles) as KeyRole[],
    state: row.state as OrganizationKey['state'],
    createdAtMs: row.created_at_ms,
    expireAtMs: row.expire_at_ms,
    usedAtMs: row.used_at_ms,
    ipAccessList: JSON.parse(row.ip_access_list) as OrganizationKey['ipAccessList'],
    version: row.version,
  };
}
