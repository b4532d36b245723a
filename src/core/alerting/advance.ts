import type { WebhookEvent } from '../../contract/webhook-event.ts';
import { audience } from './audience.ts';
import { isSilenced, type AlertDefinition } from './alert-definition.ts';
import { alertEvent } from './message/alert-event.ts';
import { noReading } from './readings.ts';
import type { Window } from './schedule.ts';
import {
  dismiss,
  step,
  worst,
  type AlertState,
  type GroupState,
  type Reading,
  type Step,
  type StepConfig,
} from './step.ts';

export interface AdvanceInput {
  definition: AlertDefinition;
  /** What the groups are groups of now; empty: no groups. */
  groupBy: string;
  /** What the remembered groups are groups of; null: nothing is remembered. */
  groupByBefore: string | null;
  groups: ReadonlyMap<string, GroupState>;
  /** What was read, by JSON of the group's values. */
  readings: ReadonlyMap<string, Reading>;
  window: Window;
  nowMs: number;
  publicUrl: string;
}

/** What one group did in one window: a line of history. */
export interface GroupLine {
  group: string[];
  value: number | null;
  state: AlertState;
  reason: string | null;
}

/** One window of one alert, decided: everything that has to be written, and nothing written yet. */
export interface Advanced {
  groups: Map<string, GroupState>;
  state: AlertState;
  /** The reading behind `state`; null: no data. */
  value: number | null;
  reason: string | null;
  lines: GroupLine[];
  events: AddressedEvent[];
}

/** An event, and the webhooks it is for. */
export interface AddressedEvent {
  event: WebhookEvent;
  webhookIds: readonly string[];
}

const dayMs = 86_400_000;

/** The step of every group: those that were read, and those that were not although they are known. */
export function advance(input: AdvanceInput): Advanced {
  const { definition, groupBy, groupByBefore, readings, window, nowMs } = input;
  const silenced = isSilenced(definition, nowMs);
  const {
    threshold,
    thresholdMax,
    thresholdType,
    numConsecutiveWindows,
    noData,
    renotifyIntervalMs,
    intervalMs,
  } = definition;
  const config: StepConfig = {
    threshold,
    thresholdMax,
    thresholdType,
    numConsecutiveWindows,
    noData,
    renotifyIntervalMs,
    silenced,
    goneAfterMs: groupBy === '' ? null : Math.max(dayMs, 10 * intervalMs),
  };
  const regrouped = groupByBefore !== null && groupByBefore !== groupBy;
  const next = new Map<string, GroupState>();
  const lines: GroupLine[] = [];
  const events: AddressedEvent[] = [];

  const take = (
    key: string,
    before: GroupState | undefined,
    reading: Reading,
    result: Step,
  ): void => {
    const { to, told } = audience(before?.told ?? [], result, definition.webhookIds);
    const { notification } = result;
    if (result.next) {
      next.set(
        key,
        told === result.next.told || (told.length === 0 && result.next.told.length === 0)
          ? result.next
          : { ...result.next, told },
      );
    }
    const group = JSON.parse(key) as string[];
    const value = reading.kind === 'value' ? reading.value : null;
    lines.push({ group, value, state: result.state, reason: result.transition?.reason ?? null });
    if (notification) {
      events.push({
        event: alertEvent({
          definition,
          group,
          notification,
          value,
          window,
          decidedAtMs: nowMs,
          publicUrl: input.publicUrl,
        }),
        webhookIds: to,
      });
    }
  };

  if (regrouped) {
    for (const [key, group] of input.groups) {
      const result = dismiss(group, silenced, window.endMs);
      if (result.transition) {
        take(key, group, noReading, { ...result, next: undefined });
      }
    }
  }
  const remembered = regrouped ? new Map<string, GroupState>() : input.groups;
  for (const [key, reading] of readings) {
    const before = remembered.get(key);
    take(key, before, reading, step(before, reading, config, window.endMs));
  }
  for (const [key, group] of remembered) {
    if (!readings.has(key)) {
      take(key, group, noReading, step(group, noReading, config, window.endMs));
    }
  }

  const state = worst(lines.map((line) => line.state));
  const shown = mostTelling(
    lines.filter((line) => line.state === state),
    definition,
  );
  return {
    groups: next,
    state,
    value: shown?.value ?? null,
    reason:
      (
        lines.find((line) => line.state === state && line.reason !== null) ??
        lines.find(({ reason }) => reason !== null)
      )?.reason ?? null,
    lines,
    events,
  };
}

/** Of several groups in the shown state: the farthest on the side where it fires. */
function mostTelling(
  lines: GroupLine[],
  { thresholdType }: AlertDefinition,
): GroupLine | undefined {
  const low = thresholdType === 'below' || thresholdType === 'below_or_equal';
  const farther = (one: GroupLine, other: GroupLine): boolean =>
    other.value === null ||
    (one.value !== null && (low ? one.value < other.value : one.value > other.value));
  return lines.reduce<GroupLine | undefined>(
    (found, line) => (found === undefined || farther(line, found) ? line : found),
    undefined,
  );
}
