import type { Command } from 'commander';
import { z } from 'zod';
import { Fault } from '../contract/errors.ts';
import type { KeyRole, StoredWorkspace, User } from '../ports/identity-store.ts';
import { hashPassword, randomText } from '../core/resources/credentials.ts';
import {
  createAccessKey,
  createOrganization,
  createOrganizationKey,
  createUser,
  createWorkspace,
  ingestionKeyContext,
  setIngestionKey,
  type ProvisionDeps,
} from '../core/resources/provision.ts';
import type { Store } from '../ports/store.ts';
import { addAudit } from './admin-audit.ts';
import { CommandError } from './query.ts';
import { table } from './table.ts';

export interface AdminDeps extends ProvisionDeps {
  store: Store;
}

/** Opens the store, runs one command on it, prints what it answers, closes the store. */
export type WithStore = (command: (deps: AdminDeps) => Promise<string>) => Promise<void>;

const roles = ['admin', 'developer', 'query_endpoints'] as const satisfies readonly KeyRole[];

/** `sightline admin …`: what only an operator may do. It works on the store itself, beside a running server, which notices within a second. */
export function addAdminCommands(admin: Command, withStore: WithStore): void {
  const group = (name: string, description: string): Command =>
    admin.command(name).description(description);
  addUsers(group('users', 'People of a workspace'), withStore);
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
    .option('--service <id>', 'service id; the only one when there is one')
    .action((options: { service?: string }) =>
      withStore(async (deps) => {
        const workspace = await theWorkspace(deps, options.service);
        return table(
          ['id', 'email', 'name', 'created'],
          (await deps.store.identity.users(workspace.id)).map((user) => [
            user.id,
            user.email,
            user.name,
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
    .description('Makes a user and prints the password once')
    .action((email: string, options: { service?: string; name?: string }) =>
      withStore(async (deps) => {
        if (!z.email().max(320).safeParse(email.trim()).success) {
          throw new CommandError(`${JSON.stringify(email)} is not an email address`);
        }
        const workspace = await theWorkspace(deps, options.service);
        const password = randomText(20);
        const user = await createUser(deps, {
          workspaceId: workspace.id,
          email,
          password,
          ...(options.name !== undefined && { name: options.name }),
        });
        return `user      ${user.id}\npassword  ${password}`;
      }),
    );
  users
    .command('password')
    .argument('<email>')
    .description('Sets a new random password and prints it once')
    .action((email: string) =>
      withStore(async (deps) => {
        const user = await theUser(deps, email);
        const password = randomText(20);
        await deps.store.identity.setPassword(
          user.workspaceId,
          user.id,
          await hashPassword(password),
        );
        return `password  ${password}`;
      }),
    );
  users
    .command('remove')
    .argument('<email>')
    .description('Removes a user and their access keys')
    .action((email: string) =>
      withStore(async (deps) => {
        const user = await theUser(deps, email);
        await deps.store.identity.removeUser(user.workspaceId, user.id);
        return `removed ${user.email}`;
      }),
    );
}

function addAccessKeys(keys: Command, withStore: WithStore): void {
  keys
    .command('list')
    .argument('<email>')
    .action((email: string) =>
      withStore(async (deps) => {
        const user = await theUser(deps, email);
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
    .argument('[name]', 'what it is for', 'command line')
    .description('Makes a key and prints it once')
    .action((email: string, name: string) =>
      withStore(async (deps) => {
        const user = await theUser(deps, email);
        return (
          await createAccessKey(deps, { workspaceId: user.workspaceId, userId: user.id, name })
        ).text;
      }),
    );
  keys
    .command('revoke')
    .argument('<email>')
    .argument('<id>')
    .action((email: string, id: string) =>
      withStore(async (deps) => {
        const user = await theUser(deps, email);
        const mine = (await deps.store.identity.accessKeys(user.workspaceId, user.id)).some(
          (key) => key.id === id,
        );
        if (!mine || !(await deps.store.identity.removeAccessKey(user.workspaceId, id))) {
          throw new CommandError(`${email} has no access key ${id}`);
        }
        return `revoked ${id}`;
      }),
    );
}

function addIngestionKey(key: Command, withStore: WithStore): void {
  key
    .command('show')
    .option('--service <id>')
    .action((options: { service?: string }) =>
      withStore(async (deps) => {
        const workspace = await theWorkspace(deps, options.service);
        const stored = await deps.store.identity.ingestionKey(workspace.id);
        if (!stored) {
          throw new CommandError(
            'this workspace has no ingestion key; make one with: sightline admin ingestion-key rotate',
          );
        }
        return deps.vault.open(stored.sealed, ingestionKeyContext(workspace.id));
      }),
    );
  key
    .command('rotate')
    .option('--service <id>')
    .description('Makes a new key, prints it, and refuses the old one from now on')
    .action((options: { service?: string }) =>
      withStore(async (deps) =>
        setIngestionKey(deps, (await theWorkspace(deps, options.service)).id),
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
    .description('Makes an organization with one admin key, printed once')
    .action((name: string) =>
      withStore(async (deps) =>
        deps.store.transaction(async (parts) => {
          const inside = { ...deps, store: parts };
          const organization = await createOrganization(inside, name);
          const key = await createOrganizationKey(inside, {
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
    .option('--organization <id>', 'organization id; the only one when there is one')
    .option('--database <name>', 'telemetry database; a name made from the service when absent')
    .description(
      'Makes a service (a workspace) with default sources and an ingestion key, printed once',
    )
    .action((name: string, options: { organization?: string; database?: string }) =>
      withStore(async (deps) => {
        const organizationId = await theOrganization(deps, options.organization);
        const serviceId = deps.ids.uuid();
        const database = options.database ?? `sightline_${serviceId.slice(0, 8)}`;
        if (!/^[A-Za-z_]\w{0,63}$/.test(database)) {
          throw new CommandError(
            `--database must be a name of letters, digits and _, not ${JSON.stringify(database)}`,
          );
        }
        const taken = (await deps.store.identity.workspaces()).find(
          (one) => one.database === database,
        );
        if (taken) {
          throw new CommandError(
            `database ${database} is that of service ${taken.serviceId}; telemetry of two services is never mixed`,
          );
        }
        const workspace = await createWorkspace(deps, {
          organizationId,
          name,
          database,
          serviceId,
        });
        return `service        ${workspace.serviceId}\nteam           ${workspace.id}\ndatabase       ${workspace.database}\ningestion key  ${await setIngestionKey(deps, workspace.id)}`;
      }),
    );
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
    .description('Makes a key and prints it once')
    .action((name: string, options: { organization?: string; role: string[] }) =>
      withStore(async (deps) => {
        const wrong = options.role.filter((role) => !(roles as readonly string[]).includes(role));
        if (wrong.length > 0) {
          throw new CommandError(
            `--role must be one of ${roles.join(', ')}, not ${wrong.join(', ')}`,
          );
        }
        const made = await createOrganizationKey(deps, {
          organizationId: await theOrganization(deps, options.organization),
          name,
          roles: options.role as KeyRole[],
        });
        return `key         ${made.key.id}\nkey id      ${made.keyId}\nkey secret  ${made.keySecret}`;
      }),
    );
  keys
    .command('revoke')
    .argument('<id>')
    .option('--organization <id>')
    .action((id: string, options: { organization?: string }) =>
      withStore(async (deps) => {
        if (
          !(await deps.store.identity.removeOrganizationKey(
            await theOrganization(deps, options.organization),
            id,
          ))
        ) {
          throw new CommandError(`there is no key ${id} in this organization`);
        }
        return `revoked ${id}`;
      }),
    );
}

async function theWorkspace(
  { store }: AdminDeps,
  serviceId: string | undefined,
): Promise<StoredWorkspace> {
  const all = await store.identity.workspaces();
  if (serviceId === undefined && all.length === 1) {
    return all[0]!;
  }
  if (serviceId === undefined) {
    throw new CommandError(
      all.length === 0
        ? 'the store is empty: start the server once'
        : `there are ${all.length} services; name one with --service (see: sightline admin services list)`,
    );
  }
  const found = all.find((one) => one.serviceId === serviceId || one.id === serviceId);
  if (!found) {
    throw new CommandError(`there is no service ${serviceId}`);
  }
  return found;
}

async function theOrganization({ store }: AdminDeps, id: string | undefined): Promise<string> {
  const all = await store.identity.organizations();
  if (id === undefined && all.length === 1) {
    return all[0]!.id;
  }
  if (id === undefined) {
    throw new CommandError(
      all.length === 0
        ? 'the store is empty: start the server once'
        : `there are ${all.length} organizations; name one with --organization`,
    );
  }
  if (!all.some((one) => one.id === id)) {
    throw new CommandError(`there is no organization ${id}`);
  }
  return id;
}

async function theUser({ store }: AdminDeps, email: string): Promise<User> {
  const user = await store.identity.userByEmail(email.trim().toLowerCase());
  if (!user) {
    throw new CommandError(`there is no user ${email}`);
  }
  return user;
}

const iso = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString());

/** What a failed command prints. */
export const commandMessage = (error: unknown): string | undefined =>
  error instanceof CommandError || error instanceof Fault ? error.message : undefined;
