import type { Status } from '../../api/queries/status.ts';
import { formatCount, formatShort, plural } from '../../view/number-format.ts';
import { formatAge } from '../../view/zone.ts';
import styles from './health.module.css';

/** The work of the team, in numbers. */
export function TeamFacts({ status }: { status: Status }) {
  const { alerts, outbox, pipes, ingest, time } = status;
  const oldestMs = outbox.oldestAt && Date.parse(time) - Date.parse(outbox.oldestAt);
  return (
    <section className={styles.section} aria-labelledby="health-team">
      <h2 id="health-team">Work of the team</h2>
      <dl className={styles.facts}>
        <Fact
          name="Alerts"
          value={formatCount(alerts.total)}
          note={`${formatCount(alerts.lateCount)} late, ${formatCount(alerts.brokenCount)} broken`}
        />
        <Fact
          name="Notifications that wait"
          value={formatCount(outbox.waiting)}
          note={
            typeof oldestMs === 'number'
              ? `The oldest for ${formatAge(Math.max(0, oldestMs))}`
              : 'All are delivered'
          }
        />
        <Fact
          name="Pipes"
          value={formatCount(pipes.total)}
          note={
            pipes.failingCount === 0 ? 'All work' : `${formatCount(pipes.failingCount)} do not work`
          }
        />
        <Fact
          name={`Telemetry received, last ${formatAge(ingest.windowSeconds * 1000)}`}
          value={`${formatShort(ingest.recordsPerSecond)}/s`}
          note={
            `${plural(ingest.storedRecords, 'record')} stored, ` +
            `${formatCount(ingest.rejectedRecords)} rejected, ` +
            `${plural(ingest.refusedRequests, 'request')} refused`
          }
        />
      </dl>
    </section>
  );
}

function Fact({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd className={styles.value}>{value}</dd>
      <dd className={styles.note}>{note}</dd>
    </div>
  );
}
