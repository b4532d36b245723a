import { usePref } from '../../../view/use-pref.ts';
import { severityOf } from '../../../view/severity.ts';
import { formatAgo, formatTime, zoneLabel, zoneName } from '../../../view/zone.ts';
import { rowTimeMs, severityField } from '../columns.ts';
import type { ReadyModel } from '../model.ts';
import styles from './row.module.css';

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
    <div className={styles.head}>
      <p className={styles.facts}>
        {severity !== '' && (
          <b className={styles.severity} data-severity={severityOf(severity)}>
            {severity}
          </b>
        )}
        <span>{text(source.serviceNameExpression)}</span>
        <time
          dateTime={new Date(ms).toISOString()}
          title={`${new Date(ms).toISOString()}, ${formatAgo(ms)}`}
        >
          {formatTime(ms, zone)} {zoneLabel(zone, ms)}
        </time>
        <span>{formatAgo(ms)}</span>
      </p>
      <p className={styles.message}>{body}</p>
    </div>
  );
}
