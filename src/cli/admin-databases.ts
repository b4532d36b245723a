import type { Command } from 'commander';
import { databaseName } from './database-name.ts';
import { theWorkspace } from './selected.ts';
import { table } from './table.ts';
import type { WithStore } from './with-store.ts';

interface Options {
  service?: string;
}

/** `sightline admin services databases`: which databases the pipes of a service may write to. */
export function addDatabases(databases: Command, withStore: WithStore): void {
  databases
    .command('list')
    .option('--service <id>', 'service id (default: the only service)')
    .action((options: Options) =>
      withStore(async (deps) => {
        const workspace = await theWorkspace(deps, options.service);
        return table(
          ['database', 'of'],
          [
            [workspace.database, 'service'],
            ...workspace.listedDatabases.map((name) => [name, 'operator']),
          ],
        );
      }),
    );
  databases
    .command('add')
    .argument('<database>')
    .option('--service <id>')
    .description('Let pipes of a service write to a database; several services can share one')
    .action((name: string, options: Options) =>
      withStore(async (deps) => {
        const database = databaseName(name);
        const workspace = await theWorkspace(deps, options.service);
        await deps.actions.listDatabase(workspace, database);
        return `pipes of service ${workspace.serviceId} can write to database ${database}`;
      }),
    );
  databases
    .command('remove')
    .argument('<database>')
    .option('--service <id>')
    .description('Take a database off the list; its tables stay')
    .action((name: string, options: Options) =>
      withStore(async (deps) => {
        const workspace = await theWorkspace(deps, options.service);
        await deps.actions.unlistDatabase(workspace, name);
        return `pipes of service ${workspace.serviceId} can no longer write to database ${name}`;
      }),
    );
}
