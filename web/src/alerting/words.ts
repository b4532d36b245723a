import type { Schemas } from '../api/client.ts';
import type { Acknowledgement, Alert } from '../api/queries/alerts.ts';
import { formatCount } from '../view/number-format.ts';

type Threshold = Pick<Alert, 'threshold' | 'thresholdMax' | 'thresholdType'>;
type Format = (value: number) => string;

/** Beside a number. */
export const thresholdSigns: Record<Alert['thresholdType'], string> = {
  above: '≥',
  above_exclusive: '>',
  below: '<',
  below_or_equal: '≤',
  equal: '=',
  not_equal: '≠',
  between: 'within',
  not_between: 'outside',
};

export const thresholdPhrases: Record<Alert['thresholdType'], string> = {
  above: 'at or above',
  above_exclusive: 'above',
  below: 'below',
  below_or_equal: 'at or below',
  equal: 'equal to',
  not_equal: 'other than',
  between: 'between',
  not_between: 'outside',
};

/** `≥ 10`, `outside 1 – 5` */
export function thresholdSign(alert: Threshold, format: Format = formatCount): string {
  const { threshold, thresholdMax, thresholdType } = alert;
  const end = thresholdMax === undefined ? '' : ` – ${format(thresholdMax)}`;
  return `${thresholdSigns[thresholdType]} ${format(threshold)}${end}`;
}

/** `at or above 10`, `between 1 and 5` */
export function thresholdPhrase(alert: Threshold, format: Format = formatCount): string {
  const { threshold, thresholdMax, thresholdType } = alert;
  const end = thresholdMax === undefined ? '' : ` and ${format(thresholdMax)}`;
  return `${thresholdPhrases[thresholdType]} ${format(threshold)}${end}`;
}

export const errorWords: Record<Schemas['ExecutionError']['type'], string> = {
  QUERY_ERROR: 'The query fails',
  QUERY_TIMEOUT: 'The query takes too long',
  WEBHOOK_ERROR: 'A webhook does not accept the notifications',
  INVALID_ALERT: 'The alert cannot be evaluated',
  TOO_MANY_GROUPS: 'The alert has too many groups',
};

/** `ada@example.com`, or `key deploy` */
export function actorOf({ by }: Acknowledgement): string {
  const name = by.name ?? by.id;
  return by.kind === 'key' ? `key ${name}` : name;
}

/** Values of a group, as a person reads them. */
export const groupText = (group: readonly string[]): string =>
  group.map((value) => (value === '' ? '(empty)' : value)).join(', ');

const reasons: Record<string, string> = {
  breached: 'Breached the threshold',
  breached_repeatedly: 'Breached often enough',
  recovered: 'Recovered',
  no_data: 'No data',
  group_gone: 'The group sends no more data',
  group_by_changed: 'The alert is grouped differently',
};

/** Why a state changed; empty if it did not. */
export const reasonWords = (reason: string | null | undefined): string =>
  reason == null ? '' : (reasons[reason] ?? reason);

export const notificationWords: Record<Schemas['NotificationReason'], string> = {
  fired: 'Began to fire',
  still_firing: 'Still fires',
  resolved: 'Resolved',
  group_gone: 'Resolved: no more data',
  group_by_changed: 'Resolved: grouped differently',
  silence_ended: 'The silence ended',
  maintenance_ended: 'The maintenance ended',
  test: 'Test',
};

export const verdictWords: Record<Schemas['ExplainVerdict'], string> = {
  notified: 'A receiver was told',
  pending: 'The notification is on its way',
  failed: 'No receiver accepted the notification',
  muted: 'The notification was held back',
  not_due: 'There was nothing to tell',
  not_evaluated: 'The window was not evaluated',
};

export const noDataWords: Record<Schemas['NoData'], string> = {
  zero: 'Evaluates the value 0',
  ok: 'Does not breach',
  firing: 'Breaches',
  keep: 'Keeps its state',
};

export const severityWords: Record<Schemas['AlertSeverity'], string> = {
  critical: 'Critical',
  error: 'Error',
  warning: 'Warning',
  info: 'Info',
};
