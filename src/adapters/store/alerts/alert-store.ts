import { sql } from 'kysely';
import type { AlertStore } from '../../../ports/store/alert-store.ts';
import type { Session } from '../statements/session.ts';
import { statement } from '../statements/statement.ts';
import { writeCalm } from './alert-calm.ts';
import {
  deliveries,
  disabledWebhooks,
  disableWebhook,
  pendingDeliveries,
  setDeliveryErrors,
  recordMarks,
  waitingDeliveries,
} from './alert-deliveries.ts';
import { documentRevision, documentsChangedSince, documentStamps } from './alert-documents.ts';
import { lastEvaluations } from './alert-evaluations.ts';
import { alertHistory, alertHistoryCount } from './alert-history.ts';
import { recentEvaluations } from './alert-recent.ts';
import { alertGroups, alertProgress, alertStatus } from './alert-progress.ts';
import { forgetAlerts, sweepBefore } from './alert-sweep.ts';
import { writeEvaluations, writeOutbox, writeProgress } from './alert-writes.ts';

export function createAlertStore(session: Session): AlertStore {
  return {
    status: (workspaceId, alertIds) => alertStatus(session, workspaceId, alertIds),
    evaluations: (workspaceId) => lastEvaluations(session, workspaceId),
    groups: (workspaceId, alertIds) => alertGroups(session, workspaceId, alertIds),
    history: (workspaceId, alertId, page) => alertHistory(session, workspaceId, alertId, page),
    historyCount: (workspaceId, alertId) => alertHistoryCount(session, workspaceId, alertId),
    recent: (workspaceId, alertIds, limit) =>
      recentEvaluations(session, workspaceId, alertIds, limit),
    documentRevision: () => documentRevision(session),
    documentsChangedSince: (sinceMs) => documentsChangedSince(session, sinceMs),
    documentStamps: () => documentStamps(session),
    progress: (shards) => alertProgress(session, shards),
    record: (written) =>
      session.atomically(async (inside) => {
        await writeProgress(inside, written.progress);
        await writeEvaluations(inside, written.evaluations);
        return writeOutbox(inside, written.outbox);
      }),
    recordCalm: (windows) => session.atomically((inside) => writeCalm(inside, windows)),
    setDeliveryErrors: (alertId, errors) => setDeliveryErrors(session, alertId, errors),
    pending: (shards) => pendingDeliveries(session, shards),
    deliveries: (workspaceId, of, page) => deliveries(session, workspaceId, of, page),
    waiting: (workspaceId) => waitingDeliveries(session, workspaceId),
    recordMarks: (marks) => recordMarks(session, marks),
    disableWebhook: (webhookId, version) => disableWebhook(session, webhookId, version),
    disabledWebhooks: () => disabledWebhooks(session),
    heartbeat: (holder, aliveMs) =>
      session.atomically(async (inside) => {
        await inside.run(beat, { holder });
        await inside.run(dropDead, { aliveMs: aliveMs * 20 });
        return (await inside.all(selectAlive, { aliveMs })).map((row) => row.holder);
      }),
    leave: async (holder) => void (await session.run(dropEvaluator, { holder })),
    forget: (alertIds) => forgetAlerts(session, alertIds),
    sweepBefore: (bounds) => sweepBefore(session, bounds),
  };
}

const beat = statement<{ holder: string }>()((queries, { holder }) =>
  queries.global
    .insertInto('alert_evaluators')
    .values({ holder, seen_ms: queries.now })
    .onConflict((conflict) => conflict.column('holder').doUpdateSet({ seen_ms: queries.now })),
);

/** A time in the future counts as alive: the clock was set back. */
const selectAlive = statement<{ aliveMs: number }>()((queries, { aliveMs }) =>
  queries.global
    .selectFrom('alert_evaluators')
    .select('holder')
    .where('seen_ms', '>', sql<number>`${queries.now} - cast(${aliveMs} as bigint)`)
    .orderBy('holder'),
);

const dropDead = statement<{ aliveMs: number }>()((queries, { aliveMs }) =>
  queries.global
    .deleteFrom('alert_evaluators')
    .where(sql<boolean>`abs(seen_ms - ${queries.now}) > cast(${aliveMs} as bigint)`),
);

const dropEvaluator = statement<{ holder: string }>()((queries, { holder }) =>
  queries.global.deleteFrom('alert_evaluators').where('holder', '=', holder),
);
