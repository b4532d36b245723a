import { sql } from 'kysely';
import {
  nodeForgottenMs,
  type NodeReport,
  type NodeStore,
  type StoredNode,
} from '../../ports/store/node-store.ts';
import type { Schema } from './statements/schema.ts';
import type { Session } from './statements/session.ts';
import { statement } from './statements/statement.ts';

export function createNodes(session: Session): NodeStore {
  return {
    beat: async ({ id, roles, version, startedAtMs, report }) => {
      await session.run(upsert, {
        id,
        roles: JSON.stringify(roles),
        version,
        startedAtMs,
        report: JSON.stringify(report),
      });
    },
    list: async () => (await session.all(selectAll, {})).map(storedNode),
    leave: async (id) => void (await session.run(remove, { id })),
  };
}

/** Deletes processes that were lost long ago. */
export async function sweepNodes(session: Session): Promise<void> {
  await session.run(sweep, {});
}

const upsert = statement<{
  id: string;
  roles: string;
  version: string;
  startedAtMs: number;
  report: string;
}>()(({ global, now }, { id, roles, version, startedAtMs, report }) =>
  global
    .insertInto('nodes')
    .values({ id, roles, version, started_at_ms: startedAtMs, seen_at_ms: now, report })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ roles, version, started_at_ms: startedAtMs, seen_at_ms: now, report }),
    ),
);

const selectAll = statement<Record<string, never>>()(({ global }) =>
  global.selectFrom('nodes').selectAll().orderBy('started_at_ms').orderBy('id'),
);

const remove = statement<{ id: string }>()(({ global }, { id }) =>
  global.deleteFrom('nodes').where('id', '=', id),
);

/** A time in the future counts too: the clock was set back. */
const sweep = statement<Record<string, never>>()(({ global, now }) =>
  global
    .deleteFrom('nodes')
    .where(sql<boolean>`abs(seen_at_ms - ${now}) > ${sql.lit(nodeForgottenMs)}`),
);

function storedNode(row: Schema['nodes']): StoredNode {
  return {
    id: row.id,
    roles: JSON.parse(row.roles) as string[],
    version: row.version,
    startedAtMs: Number(row.started_at_ms),
    seenAtMs: Number(row.seen_at_ms),
    report: JSON.parse(row.report) as NodeReport,
  };
}
