import type { AlertState } from '../../../contract/alert/alert.ts';
import { isSilenced } from '../../../contract/alert/alert-rules.ts';
import type { WebhookEvent } from '../../../contract/webhook/webhook-event.ts';
import type { AlertDefinition } from '../alert-definition.ts';
import { alertEvent } from './alert-event.ts';
import { audience } from './audience.ts';
import { encodeDecision, groupDecision, type GroupDecision } from './decision.ts';
import { eventIds } from './event-ids.ts';
import { noReading, type Reading } from './readings.ts';
import type { Window } from './schedule.ts';
import { dismiss, step, worst, type GroupState, type Step, type StepConfig } from './step.ts';

export interface AdvanceInput {
  definition: AlertDefinition;
  /** The group-by text that the readings were made with; empty: no groups. */
  groupBy: string;
  /** The group-by text of the remembered groups; null: nothing is remembered. */
  groupByBefore: string | null;
  groups: ReadonlyMap<string, GroupState>;
  /** Key: JSON of the group's values. */
  readings: ReadonlyMap<string, Reading>;
  window: Window;
  nowMs: number;
  publicUrl: string;
  /** Id of a maintenance window that covers the alert; undefined if none does. */
  maintenanceId?: string | undefined;
}

/** The outcome of one group in one window: a line of history. */
export interface GroupLine {
  group: string[];
  value: number | null;
  state: AlertState;
  reason: string | null;
}

/** The decision on one window of one alert: everything to write, with nothing written yet. */
export interface Advanced {
  groups: Map<string, GroupState>;
  state: AlertState;
  /** The reading behind `state`; null: no data. */
  value: number | null;
  reason: string | null;
  lines: GroupLine[];
  events: AddressedEvent[];
  /** What decided about notifications, as it is stored; absent if nothing breaches or is due. */
  decision?: string | undefined;
}

/** An event and the webhooks that receive it. */
export interface AddressedEvent {
  event: WebhookEvent;
  webhookIds: readonly string[];
}

const dayMs = 86_400_000;

/** Steps every group that has a reading, and every remembered group that has none. */
export function advance(input: AdvanceInput): Advanced {
  const { definition, groupBy, groupByBefore, readings, window, nowMs } = input;
  const inMaintenance = input.maintenanceId !== undefined;
  const config = { ...stepConfig(definition, groupBy, nowMs), inMaintenance };
  const forGroup = (key: string, group: GroupState | undefined): StepConfig =>
    isAcknowledged(definition, key, group) ? { ...config, acknowledged: true } : config;
  const regrouped = groupByBefore !== null && groupByBefore !== groupBy;
  const outcome: Outcome = { groups: new Map(), lines: [], events: [], decisions: [] };

  if (regrouped) {
    for (const [key, group] of input.groups) {
      const result = dismiss(group, config, window.endMs);
      if (result.transition) {
        apply(input, outcome, key, group, noReading, { ...result, next: undefined });
      }
    }
  }
  const remembered = regrouped ? new Map<string, GroupState>() : input.groups;
  for (const [key, reading] of readings) {
    const before = remembered.get(key);
    // Only a known group can miss its data.
    if (before === undefined && reading.kind === 'none' && groupBy !== '') {
      continue;
    }
    apply(
      input,
      outcome,
      key,
      before,
      reading,
      step(before, reading, forGroup(key, before), window.endMs),
    );
  }
  for (const [key, group] of remembered) {
    if (!readings.has(key)) {
      const result = step(group, noReading, forGroup(key, group), window.endMs);
      apply(input, outcome, key, group, noReading, result);
    }
  }

  const { groups, lines, events, decisions } = outcome;
  const state = worst(lines.map((line) => line.state));
  const shown = lines.filter((line) => line.state === state);
  const reasoned =
    shown.find(({ reason }) => reason !== null) ?? lines.find(({ reason }) => reason !== null);
  return {
    groups,
    state,
    value: mostTelling(shown, definition)?.value ?? null,
    reason: reasoned?.reason ?? null,
    lines,
    events,
    decision: encodeDecision(definition, input.maintenanceId, decisions),
  };
}

function stepConfig(definition: AlertDefinition, groupBy: string, nowMs: number): StepConfig {
  return {
    threshold: definition.threshold,
    thresholdMax: definition.thresholdMax,
    thresholdType: definition.thresholdType,
    numConsecutiveWindows: definition.numConsecutiveWindows,
    noData: definition.noData,
    renotifyIntervalMs: definition.renotifyIntervalMs,
    silenced: isSilenced(definition, nowMs),
    goneAfterMs: groupBy === '' ? null : Math.max(dayMs, 10 * definition.intervalMs),
  };
}

/** Whether somebody acknowledged the incident that the group is in. */
function isAcknowledged(
  { id, acknowledgedIncidentIds }: AlertDefinition,
  key: string,
  group: GroupState | undefined,
): boolean {
  return (
    acknowledgedIncidentIds.size > 0 &&
    group !== undefined &&
    group.incidentMs !== null &&
    acknowledgedIncidentIds.has(eventIds.incident(id, key, group.incidentMs))
  );
}

type Outcome = Pick<Advanced, 'groups' | 'lines' | 'events'> & { decisions: GroupDecision[] };

/** Adds the step of one group to the outcome. */
function apply(
  { definition, window, nowMs, publicUrl }: AdvanceInput,
  { groups, lines, events, decisions }: Outcome,
  key: string,
  before: GroupState | undefined,
  reading: Reading,
  result: Step,
): void {
  const { next, state, transition, notification } = result;
  const { recipientIds, notifiedWebhookIds } = audience(
    before?.notifiedWebhookIds ?? [],
    result,
    definition.webhookIds,
  );
  if (next) {
    groups.set(key, withNotified(next, notifiedWebhookIds));
  }
  const decided = groupDecision(key, result);
  if (decided) {
    decisions.push(decided);
  }
  const group = JSON.parse(key) as string[];
  const value = reading.kind === 'value' ? reading.value : null;
  lines.push({ group, value, state, reason: transition?.reason ?? null });
  if (notification) {
    events.push({
      event: alertEvent({
        definition,
        group,
        notification,
        value,
        window,
        decidedAtMs: nowMs,
        publicUrl,
      }),
      webhookIds: recipientIds,
    });
  }
}

/** The same object if its recipients did not change: a copy for each group would cost too much. */
function withNotified(group: GroupState, notifiedWebhookIds: readonly string[]): GroupState {
  const known = group.notifiedWebhookIds;
  return known === notifiedWebhookIds || (known.length === 0 && notifiedWebhookIds.length === 0)
    ? group
    : { ...group, notifiedWebhookIds };
}

/** Of several groups in the shown state: the one farthest on the side where the alert fires. */
function mostTelling(
  lines: GroupLine[],
  { thresholdType }: AlertDefinition,
): GroupLine | undefined {
  const low = thresholdType === 'below' || thresholdType === 'below_or_equal';
  const farther = (one: GroupLine, other: GroupLine): boolean =>
    other.value === null ||
    (one.value !== null && (low ? one.value < other.value : one.value > other.value));
  return lines.reduce<GroupLine | undefined>(
    (farthest, line) => (farthest === undefined || farther(line, farthest) ? line : farthest),
    undefined,
  );
}
