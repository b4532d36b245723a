import { statement } from '../statements/statement.ts';
import { ownerColumns } from './owner.ts';

type None = Record<string, never>;

const workspaceColumns = [
  'id',
  'organization_id',
  'service_id',
  'name',
  'database_name',
  'listed_databases',
  'created_at_ms',
] as const;
const userColumns = [
  'id',
  'workspace_id',
  'email',
  'name',
  'password_hash',
  'role',
  'created_at_ms',
] as const;
const accessKeyColumns = [
  'id',
  'user_id',
  'name',
  'suffix',
  'created_at_ms',
  'used_at_ms',
] as const;

export const revision = statement<None>()(({ global }) =>
  global.selectFrom('revisions').select('value').where('name', '=', 'identity'),
);
export const moveRevision = statement<None>()(({ global }) =>
  global
    .updateTable('revisions')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('name', '=', 'identity'),
);

export const insertOrganization = statement<{ id: string; name: string }>()(
  ({ global, now }, { id, name }) =>
    global
      .insertInto('organizations')
      .values({ id, name, created_at_ms: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'name', 'created_at_ms']),
);
export const organization = statement<{ id: string }>()(({ global }, { id }) =>
  global.selectFrom('organizations').select(['id', 'name', 'created_at_ms']).where('id', '=', id),
);
export const organizations = statement<None>()(({ global }) =>
  global
    .selectFrom('organizations')
    .select(['id', 'name', 'created_at_ms'])
    .orderBy('created_at_ms')
    .orderBy('id'),
);

export const renameOrganization = statement<{ id: string; name: string }>()(
  ({ global }, { id, name }) =>
    global.updateTable('organizations').set({ name }).where('id', '=', id),
);
export const insertWorkspace = statement<{
  id: string;
  organizationId: string;
  serviceId: string;
  name: string;
  database: string;
}>()(({ global, now }, { id, organizationId, serviceId, name, database }) =>
  global
    .insertInto('workspaces')
    .values({
      id,
      organization_id: organizationId,
      service_id: serviceId,
      name,
      database_name: database,
      listed_databases: '[]',
      created_at_ms: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(workspaceColumns),
);
export const renameWorkspace = statement<{ id: string; name: string }>()(
  ({ global }, { id, name }) => global.updateTable('workspaces').set({ name }).where('id', '=', id),
);
export const setListedDatabases = statement<{
  workspaceId: string;
  expected: string;
  databases: string;
}>()(({ global }, { workspaceId, expected, databases }) =>
  global
    .updateTable('workspaces')
    .set({ listed_databases: databases })
    .where('id', '=', workspaceId)
    .where('listed_databases', '=', expected),
);
export const workspace = statement<{ id: string }>()(({ global }, { id }) =>
  global.selectFrom('workspaces').select(workspaceColumns).where('id', '=', id),
);
export const workspaceOfService = statement<{ organizationId: string; serviceId: string }>()(
  ({ global }, { organizationId, serviceId }) =>
    global
      .selectFrom('workspaces')
      .select(workspaceColumns)
      .where('service_id', '=', serviceId)
      .where('organization_id', '=', organizationId),
);
export const workspaces = statement<None>()(({ global }) =>
  global.selectFrom('workspaces').select(workspaceColumns).orderBy('created_at_ms').orderBy('id'),
);
export const workspacesOfOrganization = statement<{ organizationId: string }>()(
  ({ global }, { organizationId }) =>
    global
      .selectFrom('workspaces')
      .select(workspaceColumns)
      .where('organization_id', '=', organizationId)
      .orderBy('created_at_ms')
      .orderBy('id'),
);

export const insertUser = statement<{
  id: string;
  workspaceId: string;
  email: string;
  emailKey: string;
  name: string | null;
  passwordHash: string | null;
  role: string;
}>()(({ global, now }, { id, workspaceId, email, emailKey, name, passwordHash, role }) =>
  global
    .insertInto('users')
    .values({
      id,
      workspace_id: workspaceId,
      email,
      email_key: emailKey,
      name,
      password_hash: passwordHash,
      role,
      created_at_ms: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(userColumns),
);
export const user = statement<{ workspaceId: string; id: string }>()(
  ({ global }, { workspaceId, id }) =>
    global
      .selectFrom('users')
      .select(userColumns)
      .where('id', '=', id)
      .where('workspace_id', '=', workspaceId),
);
export const userByEmail = statement<{ emailKey: string }>()(({ global }, { emailKey }) =>
  global.selectFrom('users').select(userColumns).where('email_key', '=', emailKey),
);
export const users = statement<{ workspaceId: string }>()(({ global }, { workspaceId }) =>
  global
    .selectFrom('users')
    .select(userColumns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at_ms')
    .orderBy('id'),
);
export const setPassword = statement<{
  workspaceId: string;
  id: string;
  passwordHash: string | null;
}>()(({ global }, { workspaceId, id, passwordHash }) =>
  global
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId),
);
export const updateUser = statement<{
  workspaceId: string;
  id: string;
  name: string | null;
  role: string;
}>()(({ global }, { workspaceId, id, name, role }) =>
  global
    .updateTable('users')
    .set({ name, role })
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId),
);
export const lockWorkspace = statement<{ id: string }>()(({ global, dialect }, { id }) => {
  const one = global.selectFrom('workspaces').select('id').where('id', '=', id);
  return dialect === 'postgres' ? one.forNoKeyUpdate() : one;
});
export const removeUser = statement<{ workspaceId: string; id: string }>()(
  ({ global }, { workspaceId, id }) =>
    global.deleteFrom('users').where('id', '=', id).where('workspace_id', '=', workspaceId),
);

export const insertAccessKey = statement<{
  workspaceId: string;
  id: string;
  userId: string;
  name: string;
  suffix: string;
  hash: string;
}>()(({ global, now }, { workspaceId, id, userId, name, suffix, hash }) =>
  global
    .insertInto('access_keys')
    .values({
      id,
      workspace_id: workspaceId,
      user_id: userId,
      name,
      suffix,
      hash,
      created_at_ms: now,
      used_at_ms: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(accessKeyColumns),
);
export const accessKeys = statement<{ workspaceId: string }>()(({ global }, { workspaceId }) =>
  global
    .selectFrom('access_keys')
    .select(accessKeyColumns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at_ms')
    .orderBy('id'),
);
export const accessKeysOfUser = statement<{ workspaceId: string; userId: string }>()(
  ({ global }, { workspaceId, userId }) =>
    global
      .selectFrom('access_keys')
      .select(accessKeyColumns)
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .orderBy('created_at_ms')
      .orderBy('id'),
);
export const removeAccessKey = statement<{ workspaceId: string; id: string }>()(
  ({ global }, { workspaceId, id }) =>
    global.deleteFrom('access_keys').where('id', '=', id).where('workspace_id', '=', workspaceId),
);
export const accessKeyByHash = statement<{ hash: string }>()(({ global }, { hash }) =>
  global
    .selectFrom('access_keys as k')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .innerJoin('workspaces as w', 'w.id', 'k.workspace_id')
    .select([
      'k.id',
      'k.user_id',
      'k.name',
      'k.suffix',
      'k.created_at_ms',
      'k.used_at_ms',
      ...ownerColumns,
    ])
    .where('k.hash', '=', hash),
);

export const removeIngestionKey = statement<{ workspaceId: string }>()(
  ({ global }, { workspaceId }) =>
    global.deleteFrom('ingestion_keys').where('workspace_id', '=', workspaceId),
);
export const insertIngestionKey = statement<{
  workspaceId: string;
  hash: string;
  sealed: string;
}>()(({ global, now }, { workspaceId, hash, sealed }) =>
  global
    .insertInto('ingestion_keys')
    .values({ workspace_id: workspaceId, hash, sealed, created_at_ms: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['workspace_id', 'sealed', 'created_at_ms']),
);
export const ingestionKey = statement<{ workspaceId: string }>()(({ global }, { workspaceId }) =>
  global
    .selectFrom('ingestion_keys')
    .select(['workspace_id', 'sealed', 'created_at_ms'])
    .where('workspace_id', '=', workspaceId),
);
export const workspaceOfIngestionKey = statement<{ hash: string }>()(({ global }, { hash }) =>
  global
    .selectFrom('ingestion_keys as k')
    .innerJoin('workspaces as w', 'w.id', 'k.workspace_id')
    .select([
      'w.id',
      'w.organization_id',
      'w.service_id',
      'w.name',
      'w.database_name',
      'w.listed_databases',
      'w.created_at_ms',
    ])
    .where('k.hash', '=', hash),
);
