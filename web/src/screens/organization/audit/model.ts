import type { Activity, ActivityFilters } from '../../../api/queries/organization.ts';
import { csvText } from '../../../view/csv.ts';
import { formatCount, plural } from '../../../view/number-format.ts';
import { spanOf, type TimeRange } from '../../../view/time-range.ts';
import type { AuditParams } from '../params.ts';

/** Without a range in the URL. */
export const auditRange: TimeRange = { from: 'now-7d', to: 'now' };

/** What the API is asked, at one moment: pages of a relative range do not move. */
export function filtersOf(params: AuditParams, nowMs: number): ActivityFilters {
  const { from = auditRange.from, to = auditRange.to } = params;
  const { startMs, endMs } = spanOf({ from, to }, nowMs);
  return {
    from: new Date(startMs).toISOString(),
    to: new Date(endMs).toISOString(),
    actorKind: params.actor,
    actorId: params.actorId,
    operation: params.operation,
    objectKind: params.object,
    objectId: params.objectId,
    outcome: params.outcome,
    serviceId: params.service,
  };
}

const anonymous = 'Somebody unknown';

export const actorText = ({ actor: { kind, name, id } }: Activity): string => {
  const unnamed = kind === 'system' ? 'The server' : anonymous;
  return name ?? id ?? unnamed;
};

export const objectText = ({ object: { kind, id } }: Activity): string =>
  id === undefined ? kind : `${kind} ${id}`;

/** `denied: forbidden, 3 requests` */
export function outcomeText({ outcome, code, count }: Activity): string {
  const reason = code === undefined ? outcome : `${outcome}: ${code}`;
  return count === 1 ? reason : `${reason}, ${count} requests`;
}

/** Most entries in a file. */
export const fileMax = 10_000;

/** What a file of so many entries lacks. Empty: nothing. */
export const fileNote = (total: number): string =>
  total > fileMax ? `The CSV file has the newest ${formatCount(fileMax)} of them.` : '';

/** What is said once a file is saved. */
export const savedText = (saved: number, total: number): string =>
  total > saved
    ? `The newest ${formatCount(saved)} of ${plural(total, 'entry', 'entries')} are saved. ` +
      'Choose a shorter time for the others.'
    : `${plural(saved, 'entry', 'entries')} saved.`;

const columns = [
  'id',
  'time',
  'actor_kind',
  'actor_id',
  'actor_name',
  'operation',
  'object_kind',
  'object_id',
  'service_id',
  'address',
  'request_id',
  'outcome',
  'code',
  'count',
];

/** A file of the audit trail, times in UTC. */
export const activitiesCsv = (activities: readonly Activity[]): string =>
  csvText(
    columns,
    activities.map(({ actor, object, ...activity }) => [
      activity.id,
      activity.createdAt,
      actor.kind,
      actor.id,
      actor.name,
      activity.operation,
      object.kind,
      object.id,
      activity.serviceId,
      activity.address,
      activity.requestId,
      activity.outcome,
      activity.code,
      activity.count,
    ]),
  );
