import type { Command } from 'commander';
import { ActivityQuery } from '../contract/audit.ts';
import { allActivities } from '../core/audit/audit.ts';
import type { WithStore } from './with-store.ts';
import { CommandError } from './query.ts';
import { table } from './table.ts';

interface AuditOptions {
  organization?: string;
  json?: boolean;
  [filter: string]: unknown;
}

/** `sightline admin audit`: who changed what, and what was refused, of every organization. */
export function addAudit(admin: Command, withStore: WithStore): void {
  admin
    .command('audit')
    .description('Show changes and rejected requests, newest first')
    .option('--organization <id>', 'only entries of this organization')
    .option('--service-id <id>')
    .option('--actor-kind <kind>', 'user, key, system or anonymous')
    .option('--actor-id <id>')
    .option('--operation <name>', 'operation id, such as createKey, or authenticate')
    .option('--object-kind <kind>')
    .option('--object-id <id>')
    .option('--outcome <outcome>', 'success, denied or failure')
    .option('--from <time>', 'ISO 8601 with an offset')
    .option('--to <time>')
    .option('--limit <n>', 'maximum number of entries, 1 to 1000', '100')
    .option('--offset <n>', 'number of entries to skip', '0')
    .option('--json', 'print one JSON object per line')
    .action(({ organization, json, ...filters }: AuditOptions) =>
      withStore(async ({ store }) => {
        const query = ActivityQuery.safeParse(filters);
        if (!query.success) {
          throw new CommandError(
            query.error.issues
              .map(
                ({ path, message }) =>
                  `--${path.join('.').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${message}`,
              )
              .join('\n'),
          );
        }
        const { items, total } = await allActivities(store, {
          ...query.data,
          organizationId: organization,
        });
        if (json === true) {
          return items.map((item) => JSON.stringify(item)).join('\n');
        }
        const rows = items.map((item) => [
          item.createdAt,
          item.outcome,
          item.operation,
          `${item.object.kind} ${item.object.id ?? ''}`.trim(),
          `${item.actor.kind} ${item.actor.name ?? item.actor.id ?? ''}`.trim(),
          item.address,
          item.code,
          item.count,
        ]);
        return (
          `${table(['time', 'outcome', 'operation', 'object', 'actor', 'address', 'code', 'count'], rows)}\n` +
          `${items.length} of ${total}`
        );
      }),
    );
}
