import type { StoredWorkspace } from '../ports/store/identity-store.ts';
import { CommandError } from './query.ts';
import type { AdminDeps } from './with-store.ts';

/** The service with this id, or the only one. @throws CommandError */
export async function theWorkspace(
  { store }: AdminDeps,
  serviceId: string | undefined,
): Promise<StoredWorkspace> {
  const all = await store.identity.workspaces();
  const [first] = all;
  if (serviceId === undefined && first && all.length === 1) {
    return first;
  }
  if (serviceId === undefined) {
    throw new CommandError(
      all.length === 0
        ? 'the store is empty: start the server once'
        : `there are ${all.length} services; name one with --service (see: sightline admin services list)`,
    );
  }
  const service = all.find((one) => one.serviceId === serviceId || one.id === serviceId);
  if (!service) {
    throw new CommandError(`there is no service ${serviceId}`);
  }
  return service;
}

/** The id of this organization, or of the only one. @throws CommandError */
export async function theOrganization(
  { store }: AdminDeps,
  id: string | undefined,
): Promise<string> {
  const all = await store.identity.organizations();
  const [first] = all;
  if (id === undefined && first && all.length === 1) {
    return first.id;
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
