import type { Issue } from '../../../contract/errors.ts';
import type { Workspace } from '../../../ports/principal.ts';
import { allowedDatabases } from '../../verb/allowed-databases.ts';
import type { StoredPipe } from '../definition.ts';

/** The name under which every service has a database of its own, and the default. */
const ownName = 'default';

type NamedDatabase = Pick<StoredPipe['destination'], 'database'> &
  Pick<StoredPipe, 'shownDatabase'>;

/**
 * The database that a request means. `default` is the service's own database, unless the service
 * may write to a database that has this name.
 */
export function namedDatabase(workspace: Workspace, sent = ownName): NamedDatabase {
  return sent === ownName && !allowedDatabases(workspace).includes(ownName)
    ? { database: workspace.database, shownDatabase: ownName }
    : { database: sent };
}

/** A pipe writes to its service's own database, or to one that the operator lists for the service. */
export function databaseIssues(workspace: Workspace, database: string): Issue[] {
  const allowed = allowedDatabases(workspace);
  if (allowed.includes(database)) {
    return [];
  }
  const names = allowed.map((name) => `"${name}"`).join(', ');
  return [
    {
      path: 'destination.database',
      message:
        `pipes of this service cannot write to database "${database}". They can write to: ${names}. ` +
        'An operator can list another database: ' +
        `sightline admin services databases add <name> --service ${workspace.serviceId}`,
    },
  ];
}
