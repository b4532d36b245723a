import { Argument, Option, type Command } from 'commander';
import { z } from 'zod';
import type { UserRole } from '../contract/people/role.ts';
import { Fault } from '../contract/errors.ts';
import type { KeyRole, StoredWorkspace, User } from '../ports/store/identity-store.ts';
import { hashPassword, randomText } from '../core/identity/credentials.ts';
import { ownDatabase } from '../core/identity/provision.ts';
import { addAudit } from './admin-audit.ts';
import { addDatabases } from './admin-databases.ts';
import { databaseName } from './database-name.ts';
import { CommandError } from './query.ts';
import { theOrganization, theWorkspace } from './selected.ts';
import { table } from './table.ts';
import type { AdminDeps, WithStore } from './with-store.ts';

const roles = ['admin', 'developer', 'query_endpoints'] as const satisfies readonly KeyRole[];

/**
 * `sightline admin …`: what only an operator may do. It works on the store itself, beside a running
 * server, which notices within a second.
 */
export function addAdminCommands(admin: Command, withStore: WithStore): void {
  const group = (name: string, description: string): Command =>
    admin.command(name).description(description);
  addUsers(group('users', 'Users of a workspace'), withStore);
  addAccessKeys(group('access-keys', 'Personal API access keys (/api/v2)'), withStore);
  addIngestionKey(group('ingestion-key', 'The key that telemetry senders use'), withStore);
  addOrganizations(group('organizations', 'Organizations (/v1)'), withStore);
  addServices(group('services', 'Services: workspaces of an organization'), withStore);
  addKeys(group('keys', 'Organization API keys (/v1)'), withStore);
  addAudit(admin, withStore);
}

function addUsers(users: Command, withStore: WithStore): void {
  users
    .command('list')
    .option('--service <id>', 'service id (default: the only service)')
    .action((options: { service?: string }) =>
      withStore(async (deps) => {
        const workspace = await theWorkspace(deps, options.service);
        return table(
          ['id', 'email', 'name', 'role', 'created'],
          (await deps.store.identity.users(workspace.id)).map((user) => [
            user.id,
            user.email,
            user.name,
            user.role,
            iso(user.createdAtMs),
          ]),
        );
      }),
    );
  users
    .command('create')
    .argument('<email>')
    .option('--service <id>')
    .option('--name <name>')
    .addOption(
      new Option('--role <role>', 'default: admin for the first user of the organization').choices([
        'member',
        'admin',
      ]),
    )
    .description('Create a user and print the password once')
    .action((email: string, options: NewUser) =>
      withStore((deps) => createUser(deps, email, options)),
    );
  users
    .command('password')
    .argument('<email>')
    .description('Set a new random password and print it once')
    .action((email: string) =>
      withStore(async (deps) => {
        const { user, workspace } = await theUser(deps, email);
        const password = randomText(20);
        await deps.actions.setPassword(workspace, user.id, await hashPassword(password));
        return `password  ${password}`;
      }),
    );
  users
    .command('role')
    .argument('<email>')
    .addArgument(new Argument('<role>').choices(['member', 'admin']))
    .description('Make a user a member or an admin')
    .action((email: string, role: UserRole) =>
      withStore(async (deps) => {
        const { user, workspace } = await theUser(deps, email);
        await deps.actions.setRole(workspace, user, role);
        return `${user.email} is ${role}`;
      }),
    );
  users
    .command('remove')
    .argument('<email>')
    .description("Delete a user and the user's access keys")
    .action((email: string) =>
      withStore(async (deps) => {
        const { user, workspace } = await theUser(deps, email);
        await deps.actions.deleteUser(workspace, user.id);
        return `removed ${user.email}`;
      }),
    );
}

interface NewUser {
  service?: string;
  name?: string;
  role?: UserRole;
}

async function createUser(deps: AdminDeps, email: string, options: NewUser): Promise<string> {
  if (!z.email().max(320).safeParse(email.trim()).success) {
    throw new CommandError(`${JSON.stringify(email)} is not an email address`);
  }
  const workspace = await theWorkspace(deps, options.service);
  const password = randomText(20);
  const user = await deps.actions.createUser(workspace, {
    email,
    passwordHash: await hashPassword(password),
    ...(options.name !== undefined && { name: options.name }),
    ...(options.role !== undefined && { role: options.role }),
  });
  return `user      ${user.id}\npassword  ${password}`;
}

function addAccessKeys(keys: Command, withStore: WithStore): void {
  keys
    .command('list')
    .argument('<email>')
    .action((email: string) =>
      withStore(async (deps) => {
        const { user } = await theUser(deps, email);
        return table(
          ['id', 'name', 'ends in', 'created', 'used'],
          (await deps.store.identity.accessKeys(user.workspaceId, user.id)).map((key) => [
            key.id,
            key.name,
            key.suffix,
            iso(key.createdAtMs),
            iso(key.usedAtMs),
          ]),
        );
      }),
    );
  keys
    .command('create')
    .argument('<email>')
    .argument('[name]', 'name of the key', 'command line')
    .description('Create a key and print it once')
    .action((email: string, name: string) =>
      withStore(async (deps) => {
        const { user, workspace } = await theUser(deps, email);
        const { text } = await deps.actions.createAccessKey(workspace, { userId: user.id, name });
        return text;
      }),
    );
  keys
    .command('revoke')
    .argument('<email>')
    .argument('<id>')
    .action((email: string, id: string) =>
      withStore(async (deps) => {
        const { user, workspace } = await theUser(deps, email);
        const accessKeys = await deps.store.identity.accessKeys(workspace.id, user.id);
        if (!accessKeys.some((key) => key.id === id)) {
          throw new CommandError(`${email} has no access key ${id}`);
        }
        await deps.actions.deleteAccessKey(workspace, id);
        return `revoked ${id}`;
      }),
    );
}

function addIngestionKey(key: Command, withStore: WithStore): void {
  key
    .command('show')
    .description('Print the key; the audit trail records it')
    .option('--service <id>')
    .action((options: { service?: string }) =>
      withStore(async (deps) => {
        const workspace = await theWorkspace(deps, options.service);
        if (!(await deps.store.identity.ingestionKey(workspace.id))) {
          throw new CommandError(
            'this workspace has no ingestion key; make one with: sightline admin ingestion-key rotate',
          );
        }
        return deps.actions.showIngestionKey(workspace);
      }),
    );
  key
    .command('rotate')
    .option('--service <id>')
    .description('Replace the key and print the new one; the old key is rejected immediately')
    .action((options: { service?: string }) =>
      withStore(async (deps) =>
        deps.actions.rotateIngestionKey(await theWorkspace(deps, options.service)),
      ),
    );
}

function addOrganizations(organizations: Command, withStore: WithStore): void {
  organizations.command('list').action(() =>
    withStore(async ({ store }) =>
      table(
        ['id', 'name', 'created'],
        (await store.identity.organizations()).map((one) => [
          one.id,
          one.name,
          iso(one.createdAtMs),
        ]),
      ),
    ),
  );
  organizations
    .command('create')
    .argument('<name>')
    .description('Create an organization with one admin key, and print the key once')
    .action((name: string) =>
      withStore(async (deps) =>
        deps.actions.together(async (actions) => {
          const organization = await actions.createOrganization(name);
          const key = await actions.createKey({
            organizationId: organization.id,
            name: 'first key',
            roles: ['admin'],
          });
          return `organization  ${organization.id}\nkey id        ${key.keyId}\nkey secret    ${key.keySecret}`;
        }),
      ),
    );
}

function addServices(services: Command, withStore: WithStore): void {
  addDatabases(
    services.command('databases').description('Databases that pipes of a service can write to'),
    withStore,
  );
  services
    .command('list')
    .option('--organization <id>')
    .action((options: { organization?: string }) =>
      withStore(async ({ store }) =>
        table(
          ['service', 'team', 'name', 'database', 'organization'],
          (await store.identity.workspaces(options.organization)).map((one) => [
            one.serviceId,
            one.id,
            one.name,
            one.database,
            one.organizationId,
          ]),
        ),
      ),
    );
  services
    .command('create')
    .argument('<name>')
    .option('--organization <id>', 'organization id (default: the only organization)')
    .option('--database <name>', "telemetry database (default: derived from the service's name)")
    .description(
      'Create a service (a workspace) with default sources and an ingestion key, and print the key once',
    )
    .action((name: string, options: NewService) =>
      withStore((deps) => createService(deps, name, options)),
    );
}

interface NewService {
  organization?: string;
  database?: string;
}

async function createService(deps: AdminDeps, name: string, options: NewService): Promise<string> {
  const organizationId = await theOrganization(deps, options.organization);
  const serviceId = deps.ids.uuid();
  const database = options.database ?? ownDatabase(serviceId);
  databaseName(database, '--database');
  const owner = (await deps.store.identity.workspaces()).find(
    (one) => one.database === database || one.listedDatabases.includes(database),
  );
  if (owner) {
    throw new CommandError(
      `database ${database} already belongs to service ${owner.serviceId}. Choose another database`,
    );
  }
  return deps.actions.together(async (actions) => {
    const workspace = await actions.createService({ organizationId, name, database, serviceId });
    return [
      `service        ${workspace.serviceId}`,
      `team           ${workspace.id}`,
      `database       ${workspace.database}`,
      `ingestion key  ${await actions.rotateIngestionKey(workspace)}`,
    ].join('\n');
  });
}

function addKeys(keys: Command, withStore: WithStore): void {
  keys
    .command('list')
    .option('--organization <id>')
    .action((options: { organization?: string }) =>
      withStore(async (deps) => {
        const { items } = await deps.store.identity.organizationKeys(
          await theOrganization(deps, options.organization),
          { limit: 1000, offset: 0 },
        );
        return table(
          ['id', 'name', 'id ends in', 'roles', 'state', 'expires', 'used'],
          items.map((key) => [
            key.id,
            key.name,
            key.keySuffix,
            key.roles.join(','),
            key.state,
            iso(key.expireAtMs),
            iso(key.usedAtMs),
          ]),
        );
      }),
    );
  keys
    .command('create')
    .argument('<name>')
    .option('--organization <id>')
    .option('--role <role...>', roles.join(', '), ['developer'])
    .description('Create a key and print it once')
    .action((name: string, options: NewKey) => withStore((deps) => createKey(deps, name, options)));
  keys
    .command('revoke')
    .argument('<id>')
    .option('--organization <id>')
    .action((id: string, options: { organization?: string }) =>
      withStore(async (deps) => {
        const organizationId = await theOrganization(deps, options.organization);
        if (!(await deps.store.identity.organizationKey(organizationId, id))) {
          throw new CommandError(`there is no key ${id} in this organization`);
        }
        await deps.actions.deleteKey(organizationId, id);
        return `revoked ${id}`;
      }),
    );
}

interface NewKey {
  organization?: string;
  role: string[];
}

async function createKey(deps: AdminDeps, name: string, options: NewKey): Promise<string> {
  const wrong = options.role.filter((role) => !(roles as readonly string[]).includes(role));
  if (wrong.length > 0) {
    throw new CommandError(`--role must be one of ${roles.join(', ')}, not ${wrong.join(', ')}`);
  }
  const made = await deps.actions.createKey({
    organizationId: await theOrganization(deps, options.organization),
    name,
    roles: options.role as KeyRole[],
  });
  return `key         ${made.key.id}\nkey id      ${made.keyId}\nkey secret  ${made.keySecret}`;
}

async function theUser(
  { store }: AdminDeps,
  email: string,
): Promise<{ user: User; workspace: StoredWorkspace }> {
  const user = await store.identity.userByEmail(email.trim().toLowerCase());
  const workspace = user && (await store.identity.workspace(user.workspaceId));
  if (!user || !workspace) {
    throw new CommandError(`there is no user ${email}`);
  }
  return { user, workspace };
}

const iso = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString());

/** What a failed command prints. */
export const commandMessage = (error: unknown): string | undefined =>
  error instanceof CommandError || error instanceof Fault ? error.message : undefined;
