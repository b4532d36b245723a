import { randomUUID } from 'node:crypto';
import type { Store } from '../../src/ports/store/store.ts';

/** A workspace without users and keys, in an organization of its own. */
export async function insertWorkspace(store: Store, id: string, database: string): Promise<void> {
  const organizationId = randomUUID();
  await store.identity.insertOrganization({ id: organizationId, name: 'test' });
  await store.identity.insertWorkspace({
    id,
    organizationId,
    serviceId: randomUUID(),
    name: 'test',
    database,
  });
}
