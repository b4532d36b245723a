import { sql } from 'kysely';
import { shardCount } from '../../../ports/store/alert-store.ts';
import type { Session } from '../statements/session.ts';
import { statement } from '../statements/statement.ts';
import { dropCalmBefore } from './alert-calm.ts';
import { chunks } from './chunks.ts';

export async function forgetAlerts(session: Session, alertIds: readonly string[]): Promise<void> {
  for (const ids of chunks(alertIds)) {
    await session.atomically(async (inside) => {
      const everywhere = inside.queries.ofEveryWorkspace();
      for (const table of ['alert_progress', 'alert_outbox', 'alert_history'] as const) {
        await inside.execute(everywhere.deleteFrom(table).where('alert_id', 'in', ids));
      }
    });
  }
}

export async function sweepBefore(
  session: Session,
  {
    evaluationsMs,
    deliveriesMs,
    deliveriesMax,
  }: { evaluationsMs: number; deliveriesMs: number; deliveriesMax?: number },
): Promise<void> {
  const everywhere = session.queries.ofEveryWorkspace();
  const { rows } = await session.execute<{ alert_id: string }>(
    everywhere.selectFrom('alert_progress').select('alert_id'),
  );
  // Deletes by alert, because the key of the history begins with the alert: no second index is
  // needed.
  for (const ids of chunks(rows.map((row) => row.alert_id))) {
    await session.execute(
      everywhere
        .deleteFrom('alert_history')
        .where('alert_id', 'in', ids)
        .where('window_end_ms', '<', evaluationsMs),
    );
  }
  for (let shard = 0; shard < shardCount; shard++) {
    await dropCalmBefore(session, shard, evaluationsMs);
  }
  await session.execute(
    everywhere.deleteFrom('alert_outbox').where('settled_ms', '<', deliveriesMs),
  );
  if (deliveriesMax !== undefined) {
    await dropDeliveriesBeyond(session, deliveriesMax);
  }
}

/** Keeps the newest settled deliveries of each alert. */
async function dropDeliveriesBeyond(session: Session, deliveriesMax: number): Promise<void> {
  for (const { alert_id: alertId } of await session.all(selectManyDeliveries, { deliveriesMax })) {
    const oldest = await session.first(selectOldestKept, { alertId, offset: deliveriesMax - 1 });
    if (oldest) {
      await session.run(dropSettledBefore, { alertId, createdMs: oldest.created_ms });
    }
  }
}

/** Alerts with more deliveries than that. */
const selectManyDeliveries = statement<{ deliveriesMax: number }>()((queries, { deliveriesMax }) =>
  queries
    .ofEveryWorkspace()
    .selectFrom('alert_outbox')
    .select('alert_id')
    .groupBy('alert_id')
    .having(sql<boolean>`count(*) > cast(${deliveriesMax} as bigint)`),
);

const selectOldestKept = statement<{ alertId: string; offset: number }>()(
  (queries, { alertId, offset }) =>
    queries
      .ofEveryWorkspace()
      .selectFrom('alert_outbox')
      .select('created_ms')
      .where('alert_id', '=', alertId)
      .orderBy('created_ms', 'desc')
      .limit(1)
      .offset(offset),
);

const dropSettledBefore = statement<{ alertId: string; createdMs: number }>()(
  (queries, { alertId, createdMs }) =>
    queries
      .ofEveryWorkspace()
      .deleteFrom('alert_outbox')
      .where('alert_id', '=', alertId)
      .where('created_ms', '<', createdMs)
      .where('settled_ms', 'is not', null),
);
