import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { alertsQuery, type Alert } from '../../../api/queries/alerts.ts';
import type { MaintenanceWindow } from '../../../api/queries/maintenance.ts';
import { covers } from '../../../alerting/maintenance.ts';
import { nameOf } from '../../../alerting/states.ts';
import { Button } from '../../../kit/button.tsx';
import { ActionsCell, Cell, ListTable, TitleCell } from '../../../kit/list-table.tsx';
import { formatCount, plural } from '../../../view/number-format.ts';
import { usePref } from '../../../view/use-pref.ts';
import { formatAgo, zoneLabel, zoneName } from '../../../view/zone.ts';
import {
  bySchedule,
  scheduleWords,
  sectionOf,
  sections,
  spanWords,
  type Section,
} from './schedule-words.ts';
import { WindowActions } from './window-actions.tsx';
import styles from './maintenance.module.css';

const route = getRouteApi('/inside/alerts/maintenance');
const pastShown = 10;

/** The windows that are on, those to come, and those that are over. */
export function WindowSections({ windows }: { windows: readonly MaintenanceWindow[] }) {
  return sections.map(({ section, title }) => {
    const found = windows.filter((one) => sectionOf(one) === section).toSorted(bySchedule);
    return (
      found.length > 0 && (
        <section key={section} className={styles.section} aria-label={title}>
          <h2>{title}</h2>
          <WindowTable section={section} title={title} windows={found} />
        </section>
      )
    );
  });
}

interface WindowTableProps {
  section: Section;
  title: string;
  windows: readonly MaintenanceWindow[];
}

function WindowTable({ section, title, windows }: WindowTableProps) {
  const navigate = route.useNavigate();
  const { data: alerts } = useQuery(alertsQuery);
  const [isAll, setAll] = useState(section !== 'past');
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const shown = isAll ? windows : windows.slice(0, pastShown);
  const edit = (id: string): void => void navigate({ search: { edit: id } });
  return (
    <>
      <ListTable
        label={title}
        columns={[
          { label: 'Window' },
          { label: `Time (${zoneLabel(zone)})`, isExtra: true },
          { label: 'Alerts', isExtra: true },
          { label: 'Actions', isActions: true },
        ]}
      >
        {shown.map((window) => (
          <tr key={window.id} className={styles.row}>
            <TitleCell
              title={
                <button type="button" className={styles.name} onClick={() => edit(window.id)}>
                  {window.name}
                </button>
              }
              note={window.schedule.type === 'cron' ? scheduleWords(window, zone) : undefined}
              smallNote={`${occurrenceWords(window, zone)} · ${coverWords(window, alerts)}`}
            />
            <Cell isExtra>
              <span className={styles.time}>{occurrenceWords(window, zone)}</span>
            </Cell>
            <Cell isExtra>
              <span className={styles.covers} title={coveredNames(window, alerts)}>
                {coverWords(window, alerts)}
              </span>
            </Cell>
            <ActionsCell>
              <WindowActions window={window} onEdit={() => edit(window.id)} />
            </ActionsCell>
          </tr>
        ))}
      </ListTable>
      {shown.length < windows.length && (
        <Button className={styles.more} onClick={() => setAll(true)}>
          Show all {formatCount(windows.length)}
        </Button>
      )}
    </>
  );
}

/** The present or next time: `Until 14:00`, `Nov 29 02:00 – 04:00, in 6 d`. */
function occurrenceWords(window: MaintenanceWindow, zone: string): string {
  const { active, occurrence, schedule } = window;
  if (!occurrence) {
    return schedule.type === 'once' ? `Ended ${formatAgo(Date.parse(schedule.to))}` : 'Never';
  }
  const [fromMs, toMs] = [Date.parse(occurrence.from), Date.parse(occurrence.to)];
  const span = spanWords(fromMs, toMs, zone);
  return active ? `${span}, ends ${formatAgo(toMs)}` : `${span}, ${formatAgo(fromMs)}`;
}

/** `All alerts`, or `3 alerts: tag database, 1 by name`. */
function coverWords(window: MaintenanceWindow, alerts: Alert[] | undefined): string {
  const { all, tags, ids } = window.alerts;
  if (all) {
    return 'All alerts';
  }
  const ways = [
    ...(tags.length > 0 ? [`${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(', ')}`] : []),
    ...(ids.length > 0 ? [`${formatCount(ids.length)} by name`] : []),
  ].join(', ');
  const count = alerts?.filter((alert) => covers(window, alert)).length;
  return count === undefined ? ways : `${plural(count, 'alert')}: ${ways}`;
}

const namesShown = 20;

function coveredNames(window: MaintenanceWindow, alerts: Alert[] | undefined): string {
  const found = alerts?.filter((alert) => covers(window, alert)).map(nameOf) ?? [];
  const rest = found.length - namesShown;
  return [...found.slice(0, namesShown), ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}
