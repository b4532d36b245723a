import { Time } from '../../../kit/time.tsx';
import { usePref } from '../../../view/use-pref.ts';
import { severityOf } from '../../../view/severity.ts';
import { formatAgo, formatTime, zoneLabel, zoneName } from '../../../view/zone.ts';
import { rowTimeMs, severityField } from '../columns.ts';
import type { ReadyModel } from '../model.ts';
import panel from '../../../kit/panel.module.css';

interface RowHeadProps {
  model: ReadyModel;
  row: Record<string, unknown>;
  id: string;
}

/** Severity, service, time and message of a row. */
export function RowHead({ model: { source }, row, id }: RowHeadProps) {
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const ms = rowTimeMs(id);
  const text = (field: string | undefined): string =>
    field === undefined ? '' : String(row[field] ?? '');
  const severity = text(severityField(source));
  const body = text(source.kind === 'log' ? source.bodyExpression : source.spanNameExpression);
  return (
    <div className={panel.head}>
      <p className={panel.facts}>
        {severity !== '' && (
          <b className={panel.severity} data-severity={severityOf(severity)}>
            {severity}
          </b>
        )}
        <span>{text(source.serviceNameExpression)}</span>
        <Time ms={ms}>{`${formatTime(ms, zone)} ${zoneLabel(zone, ms)}`}</Time>
        <span>{formatAgo(ms)}</span>
      </p>
      <p className={panel.message}>{body}</p>
    </div>
  );
}
