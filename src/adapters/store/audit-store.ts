import { sql, type SelectQueryBuilder } from 'kysely';
import type { AuditEntry, AuditFilter, AuditStore } from '../../ports/store/audit-store.ts';
import type { AuditTables } from './statements/schema.ts';
import type { Session } from './statements/session.ts';
import { statement, valuesOf } from './statements/statement.ts';

type Row = AuditTables['audit'];

const columns = [
  'id',
  'at_ms',
  'organization_id',
  'service_id',
  'actor_kind',
  'actor_id',
  'actor_name',
  'operation',
  'object_kind',
  'object_id',
  'address',
  'request_id',
  'outcome',
  'code',
  'count',
] as const;

const insert = statement<Row>()(({ global }, row) =>
  global.insertInto('audit').values(valuesOf(row, columns)),
);

const trim = statement<{ keep: number }>()((queries, { keep }) => {
  const kept = queries.global
    .selectFrom('audit')
    .select('id')
    .where('outcome', '<>', 'success')
    .orderBy('at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(keep);
  return queries.global
    .deleteFrom('audit')
    .where('outcome', '<>', 'success')
    .where('id', 'not in', kept);
});

export function createAuditStore(session: Session): AuditStore {
  return {
    async append(entries) {
      const [first, ...others] = entries;
      if (first && others.length === 0) {
        await session.run(insert, rowOf(first));
      } else if (first) {
        await session.atomically(async (inside) => {
          for (const entry of entries) {
            await inside.run(insert, rowOf(entry));
          }
        });
      }
    },

    async list(filter, { limit, offset }) {
      const from = session.queries.global.selectFrom('audit').$call(matching(filter));
      const { rows } = await session.execute<Row>(
        from.selectAll().orderBy('at_ms', 'desc').orderBy('id', 'desc').limit(limit).offset(offset),
      );
      const counted = await session.execute<{ total: number }>(
        from.select(sql<number>`count(*)`.as('total')),
      );
      return { items: rows.map(entryOf), total: Number(counted.rows[0]?.total ?? 0) };
    },

    trimRefusals: (keep) => session.run(trim, { keep }),
  };
}

type Lines = SelectQueryBuilder<AuditTables, 'audit', object>;

function matching(filter: AuditFilter) {
  const equal = {
    organization_id: filter.organizationId,
    service_id: filter.serviceId,
    actor_kind: filter.actorKind,
    actor_id: filter.actorId,
    operation: filter.operation,
    object_kind: filter.objectKind,
    object_id: filter.objectId,
    outcome: filter.outcome,
  };
  return (lines: Lines): Lines => {
    let query = lines;
    for (const [column, value] of Object.entries(equal)) {
      if (value !== undefined) {
        query = query.where(column as keyof typeof equal, '=', value);
      }
    }
    if (filter.fromMs !== undefined) {
      query = query.where('at_ms', '>=', filter.fromMs);
    }
    if (filter.toMs !== undefined) {
      query = query.where('at_ms', '<', filter.toMs);
    }
    return query;
  };
}

function rowOf(entry: AuditEntry): Row {
  return {
    id: entry.id,
    at_ms: entry.atMs,
    organization_id: entry.organizationId,
    service_id: entry.serviceId,
    actor_kind: entry.actor.kind,
    actor_id: entry.actor.id,
    actor_name: entry.actor.name,
    operation: entry.operation,
    object_kind: entry.object.kind,
    object_id: entry.object.id,
    address: entry.address,
    request_id: entry.requestId,
    outcome: entry.outcome,
    code: entry.code,
    count: entry.count,
  };
}

function entryOf(row: Row): AuditEntry {
  return {
    id: row.id,
    atMs: Number(row.at_ms),
    organizationId: row.organization_id,
    serviceId: row.service_id,
    actor: {
      kind: row.actor_kind as AuditEntry['actor']['kind'],
      id: row.actor_id,
      name: row.actor_name,
    },
    operation: row.operation,
    object: { kind: row.object_kind, id: row.object_id },
    address: row.address,
    requestId: row.request_id,
    outcome: row.outcome as AuditEntry['outcome'],
    code: row.code,
    count: Number(row.count),
  };
}
