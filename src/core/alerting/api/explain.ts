import type { EvaluatedGroup } from '../../../contract/alert/alert-history.ts';
import { durationMs } from '../../../contract/common.ts';
import {
  explainAlert,
  type AlertExplanation,
  type ExplainStep,
  type ExplainVerdict,
} from '../../../contract/alert/explain.ts';
import type { StoredDelivery, StoredEvaluation } from '../../../ports/store/alert-store.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import type { StoreReader } from '../../../ports/store/store-access.ts';
import { readVerb } from '../../verb/verb.ts';
import { alertDefinition } from '../alert-definition.ts';
import { decodeDecision, type Decision } from '../decide/decision.ts';
import { eventIds } from '../decide/event-ids.ts';
import { deliveryRecord } from './deliveries.ts';
import { explanationSteps } from './explain-steps.ts';
import { requireDocument } from './require-document.ts';
import type { z } from 'zod';

/** Follows a recorded window from its rows to its receivers. Nothing is evaluated again. */
export function explainVerb({ store }: { store: StoreReader }) {
  return readVerb(explainAlert, async ({ principal, params: { id }, query }) => {
    const { id: workspaceId } = principal.workspace;
    const alert = await requireDocument(store, workspaceId, 'alert', id);
    const timeMs = query.window === undefined ? undefined : Date.parse(query.window);
    const evaluation = await evaluationAt(store, alert, timeMs);
    const group = query.group ?? (evaluation ? decidingGroup(evaluation) : []);
    if (!evaluation || evaluation.skipped > 0) {
      return { value: await notEvaluated(store, alert, evaluation, group) };
    }
    const of = { alertId: id, windowEndMs: evaluation.windowEndMs };
    const stored = await store.alerts.deliveries(workspaceId, of, {
      limit: deliveriesMax,
      after: undefined,
    });
    return { value: explanation(alert, evaluation, group, stored) };
  });
}

/** Ten webhooks for each of a thousand groups. */
const deliveriesMax = 10_000;

/** The evaluation of the window that ends at this time, or contains it; the last one if absent. */
async function evaluationAt(
  { alerts }: StoreReader,
  { id, workspaceId, body }: StoredDocument<'alert'>,
  timeMs: number | undefined,
): Promise<StoredEvaluation | undefined> {
  const newest = async (beforeMs: number): Promise<StoredEvaluation | undefined> =>
    (await alerts.history(workspaceId, id, { limit: 1, beforeMs }))[0];
  if (timeMs === undefined) {
    return newest(Number.MAX_SAFE_INTEGER);
  }
  const ending = await newest(timeMs + 1);
  if (ending?.windowEndMs === timeMs) {
    return ending;
  }
  const contains = (one: StoredEvaluation | undefined): boolean =>
    one !== undefined && one.windowStartMs <= timeMs && timeMs < one.windowEndMs;
  const next = await newest(timeMs + (durationMs(body.interval) ?? 0) + 1);
  if (contains(next)) {
    return next;
  }
  // The window may belong to a long gap, or to an interval that the alert had before.
  const beforeMs = Number.MAX_SAFE_INTEGER;
  return (await alerts.history(workspaceId, id, { limit: 1000, beforeMs })).find(contains);
}

type GroupLine = z.output<typeof EvaluatedGroup>;

const linesOf = ({ groups }: StoredEvaluation): GroupLine[] =>
  groups === null ? [] : (JSON.parse(groups) as GroupLine[]);

/** The group whose state and value the alert shows. */
function decidingGroup(evaluation: StoredEvaluation): string[] {
  const lines = linesOf(evaluation).filter(({ state }) => state === evaluation.state);
  return (lines.find(({ value }) => value === evaluation.value) ?? lines[0])?.group ?? [];
}

function explanation(
  alert: StoredDocument<'alert'>,
  evaluation: StoredEvaluation,
  group: string[],
  stored: readonly StoredDelivery[],
): AlertExplanation {
  const key = JSON.stringify(group);
  const definition = alertDefinition(alert);
  const decision: Decision =
    evaluation.decision === undefined
      ? { ...thresholdOf(definition), needed: definition.numConsecutiveWindows, groups: [] }
      : decodeDecision(evaluation.decision);
  const groupId = eventIds.group(alert.id, key);
  const deliveries = stored.filter(({ event }) => groupIdOf(event) === groupId);
  const line =
    evaluation.groups === null && group.length === 0
      ? evaluation
      : linesOf(evaluation).find((one) => JSON.stringify(one.group) === key);
  const decided = decision.groups.find((one) => one.key === key);
  const steps = explanationSteps({
    evaluation,
    line,
    decision,
    decided,
    noData: definition.noData,
    changedSince: alert.updatedAtMs > evaluation.evaluatedAtMs,
    renotifies: definition.renotifyIntervalMs !== null,
    deliveries,
  });
  return {
    ...windowOf(evaluation),
    group,
    verdict: verdictOf(decided, deliveries),
    ...(decided?.due != null && { reason: decided.due }),
    steps,
    deliveries: deliveries.map(deliveryRecord),
  };
}

const thresholdOf = ({
  threshold,
  thresholdMax,
  thresholdType,
}: ReturnType<typeof alertDefinition>) => ({ threshold, thresholdMax, thresholdType });

const groupIdOf = (event: string): string =>
  (JSON.parse(event) as { data: { groupId: string } }).data.groupId;

function verdictOf(
  decided: Decision['groups'][number] | undefined,
  deliveries: readonly StoredDelivery[],
): ExplainVerdict {
  if (decided?.due == null) {
    return 'not_due';
  }
  if (decided.mutedBy !== null) {
    return 'muted';
  }
  const has = (status: StoredDelivery['status']): boolean =>
    deliveries.some((one) => one.status === status);
  if (has('delivered')) {
    return 'notified';
  }
  return has('pending') ? 'pending' : 'failed';
}

async function notEvaluated(
  { alerts }: StoreReader,
  alert: StoredDocument<'alert'>,
  gap: StoredEvaluation | undefined,
  group: string[],
): Promise<AlertExplanation> {
  const status = (await alerts.status(alert.workspaceId, [alert.id])).get(alert.id);
  const errors = (status?.executionErrors ?? []).filter(({ type }) => type !== 'WEBHOOK_ERROR');
  const texts = gap
    ? [
        `The server skipped ${gap.skipped} windows, including this one, ` +
          'because the evaluation was interrupted for too long.',
      ]
    : [
        'No evaluation of this window is stored. It has not ended yet, ' +
          'the alert did not exist or could not be evaluated, or the window is older than 30 days.',
        ...errors.map(({ type, message }) => `The alert has an error: ${type}: ${message}.`),
      ];
  return {
    ...(gap && windowOf(gap)),
    group,
    verdict: 'not_evaluated',
    steps: texts.map((text): ExplainStep => ({ step: 'evaluation', outcome: 'stopped', text })),
    deliveries: [],
  };
}

const windowOf = ({ windowStartMs, windowEndMs }: StoredEvaluation) => ({
  windowStart: new Date(windowStartMs).toISOString(),
  windowEnd: new Date(windowEndMs).toISOString(),
});
