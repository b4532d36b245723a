import { shardCount } from '../../../ports/store/alert-store.ts';
import type { Session } from '../statements/session.ts';
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
  { evaluationsMs, deliveriesMs }: { evaluationsMs: number; deliveriesMs: number },
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
}
