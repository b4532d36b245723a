import type { ExplainStep } from '../../../contract/alert/explain.ts';
import type { AlertState, NoData } from '../../../contract/alert/alert.ts';
import type { StoredDelivery, StoredEvaluation } from '../../../ports/store/alert-store.ts';
import { breaches as breachesThreshold, thresholdPhrase } from '../decide/breach.ts';
import type { Decision, GroupDecision } from '../decide/decision.ts';

export interface ExplainedWindow {
  evaluation: StoredEvaluation;
  /** The result of the group; undefined if the window knows no such group. */
  line: { value: number | null; state: AlertState; reason: string | null } | undefined;
  decision: Decision;
  /** Undefined if the group neither breached nor had anything to tell. */
  decided: GroupDecision | undefined;
  noData: NoData;
  /** The alert was changed after the evaluation, so that today's settings may differ. */
  changedSince: boolean;
  renotifies: boolean;
  deliveries: readonly StoredDelivery[];
}

/** The steps of one group in one window. At most one of them stopped the notification. */
export function explanationSteps(window: ExplainedWindow): ExplainStep[] {
  const { evaluation, line, decided } = window;
  const steps: ExplainStep[] = [
    {
      step: 'evaluation',
      outcome: 'passed',
      text: `The server evaluated the window at ${iso(evaluation.evaluatedAtMs)}.`,
    },
    {
      step: 'rows',
      outcome: 'info',
      text: `The query read ${evaluation.rowsRead} rows for this alert in ${evaluation.durationMs} ms.`,
    },
  ];
  if (!line) {
    const text = 'The alert knew no such group in this window.';
    return [...steps, { step: 'value', outcome: 'stopped', text }];
  }
  steps.push(valueStep(window, line.value), thresholdStep(window, line));
  const waits = line.state === 'pending';
  if (decided && decided.breaches > 0) {
    steps.push(windowsStep(window, decided, waits));
  }
  if (decided?.due == null) {
    return decided && !waits ? [...steps, knownStep(window)] : steps;
  }
  steps.push({
    step: 'incident',
    outcome: 'passed',
    text: `A notification was due: ${dueTexts[decided.due]}.`,
  });
  return [...steps, ...mutingSteps(window, decided), ...deliverySteps(window, decided)];
}

function valueStep({ noData }: ExplainedWindow, value: number | null): ExplainStep {
  return {
    step: 'value',
    outcome: 'info',
    text:
      value === null
        ? `The window has no data, or no number as its result. The treatment of no data is "${noData}".`
        : `The value is ${value}.`,
  };
}

/** A value that does not breach may still end an incident. */
function thresholdStep(
  window: ExplainedWindow,
  { value, state }: NonNullable<ExplainedWindow['line']>,
): ExplainStep {
  const { decision, decided, changedSince, evaluation } = window;
  const limit = thresholdPhrase(decision);
  const subject = value === null ? 'The window' : `The value ${value}`;
  const caution =
    changedSince && evaluation.decision === undefined
      ? ' The alert was changed later, so the threshold may have been another.'
      : '';
  if (decided && decided.breaches > 0) {
    return { step: 'threshold', outcome: 'passed', text: breachText(window, value) };
  }
  if (state !== 'inactive') {
    const text = `${subject} decides nothing, so the state stays ${state}.`;
    return { step: 'threshold', outcome: 'info', text };
  }
  return {
    step: 'threshold',
    outcome: decided?.due == null ? 'stopped' : 'passed',
    text: `${subject} does not breach the threshold (${limit}).${caution}`,
  };
}

/** A group that breaches, or whose earlier windows do. */
function breachText({ decision, noData }: ExplainedWindow, value: number | null): string {
  const limit = thresholdPhrase(decision);
  if (value !== null && breachesThreshold(value, decision)) {
    return `The value ${value} breaches the threshold (${limit}).`;
  }
  if (value === null && noData === 'firing') {
    return 'A window without data counts as a breach.';
  }
  if (value === null && noData === 'zero' && breachesThreshold(0, decision)) {
    return `A window without data has the value 0, which breaches the threshold (${limit}).`;
  }
  return `The window decides nothing, and the windows before it breached the threshold (${limit}).`;
}

function windowsStep(
  { decision: { needed } }: ExplainedWindow,
  { breaches }: GroupDecision,
  waits: boolean,
): ExplainStep {
  const windows = breaches === 1 ? '1 window' : `${breaches} consecutive windows`;
  return {
    step: 'windows',
    outcome: waits ? 'stopped' : 'passed',
    text: waits
      ? `${windows} breached so far, and the alert fires at ${needed}.`
      : `${windows} breached, and the alert fires at ${needed}.`,
  };
}

function knownStep({ renotifies }: ExplainedWindow): ExplainStep {
  return {
    step: 'incident',
    outcome: 'stopped',
    text: renotifies
      ? 'The receivers already know that the alert fires, and no reminder was due.'
      : 'The receivers already know that the alert fires, and the alert sends no reminders.',
  };
}

const dueTexts: Record<NonNullable<GroupDecision['due']>, string> = {
  fired: 'the alert began to fire',
  still_firing: 'a reminder that the alert still fires',
  resolved: 'the incident ended',
  group_gone: 'the incident ended, because the group sends no more data',
  group_by_changed: 'the incident ended, because the alert is grouped differently',
  silence_ended: 'the receivers do not know the state that a silence hid',
  maintenance_ended: 'the receivers do not know the state that a maintenance window hid',
};

/** In the order in which evaluation asks them; the first that mutes ends the list. */
function mutingSteps(
  { decision }: ExplainedWindow,
  { mutedBy, due }: GroupDecision,
): ExplainStep[] {
  const texts = {
    silence: ['The alert was not silenced.', 'The alert was silenced.'],
    maintenance: [
      'No maintenance window covered the alert.',
      `The maintenance window ${decision.maintenanceId ?? ''} covered the alert.`,
    ],
    acknowledgement: [
      due === 'still_firing'
        ? 'Nobody had acknowledged the incident.'
        : 'An acknowledgement would hold back reminders only.',
      'Somebody had acknowledged the incident, so no reminder was sent.',
    ],
  } as const;
  const steps: ExplainStep[] = [];
  for (const step of ['silence', 'maintenance', 'acknowledgement'] as const) {
    const mutes = mutedBy === step;
    steps.push({
      step,
      outcome: mutes ? 'stopped' : 'passed',
      text: texts[step][mutes ? 1 : 0],
    });
    if (mutes) {
      break;
    }
  }
  return steps;
}

function deliverySteps({ deliveries }: ExplainedWindow, { mutedBy }: GroupDecision): ExplainStep[] {
  if (mutedBy !== null) {
    return [];
  }
  if (deliveries.length === 0) {
    const text =
      'No delivery is stored. The webhooks of the alert were deleted, or the server no longer keeps the delivery.';
    return [{ step: 'delivery', outcome: 'stopped', text }];
  }
  return deliveries.map((delivery): ExplainStep => {
    const { webhookId, status, attemptCount, error } = delivery;
    const receiver = `Webhook ${webhookId}`;
    const attempts = attemptCount === 1 ? '1 attempt' : `${attemptCount} attempts`;
    switch (status) {
      case 'delivered':
        return {
          step: 'delivery',
          outcome: 'passed',
          text: `${receiver} accepted the notification after ${attempts}.`,
        };
      case 'pending':
        return {
          step: 'delivery',
          outcome: 'info',
          text:
            `${receiver} has not accepted the notification after ${attempts}. ` +
            `Next attempt: ${iso(delivery.nextAttemptMs)}.` +
            (error === null ? '' : ` Last result: ${error}.`),
        };
      case 'failed':
        return {
          step: 'delivery',
          outcome: 'stopped',
          text: `${receiver} did not accept the notification after ${attempts}. Last result: ${error ?? 'unknown'}.`,
        };
    }
  });
}

const iso = (ms: number): string => new Date(ms).toISOString();
