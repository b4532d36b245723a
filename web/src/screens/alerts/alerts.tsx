import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, Wrench } from 'lucide-react';
import { alertListQuery, type Alert } from '../../api/queries/alerts.ts';
import { maintenanceQuery } from '../../api/queries/maintenance.ts';
import { AppLinkButton } from '../../alerting/app-link.tsx';
import { endOf } from '../../alerting/maintenance.ts';
import { byUrgency, isInState, nameOf } from '../../alerting/states.ts';
import { useSubjects } from '../../alerting/use-subjects.ts';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/notice.tsx';
import { StaleNote } from '../../kit/stale-note.tsx';
import { Empty, Failure, LoadBar, Skeleton } from '../../kit/state.tsx';
import { formatCount } from '../../view/number-format.ts';
import { compact } from '../../view/url-state.ts';
import { usePref } from '../../view/use-pref.ts';
import { useTitle } from '../../view/use-title.ts';
import { formatTime, zoneName } from '../../view/zone.ts';
import { AlertTable } from './alert-table.tsx';
import { Finder } from './finder.tsx';
import type { AlertsParams } from './params.ts';
import styles from './alerts.module.css';

const route = getRouteApi('/inside/alerts');
const refreshMs = 15_000;
/** Larger lists are large answers. */
const slowRefreshMs = 60_000;
const largeList = 300;

/** All alerts of the team, what needs a person first. */
export function Alerts() {
  const query = useQuery({
    ...alertListQuery,
    refetchInterval: ({ state: { data } }) =>
      (data?.total ?? 0) > largeList ? slowRefreshMs : refreshMs,
  });
  useTitle('Alerts');
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>Alerts</h1>
        <div className={styles.buttons}>
          <AppLinkButton href="/alerts/maintenance">
            <Wrench size={14} aria-hidden />
            Maintenance
          </AppLinkButton>
          <AppLinkButton href="/alerts/new" look="primary">
            <Plus size={14} aria-hidden />
            New alert
          </AppLinkButton>
        </div>
      </header>
      <Body query={query} />
    </div>
  );
}

type Listed = { alerts: Alert[]; total: number };

function Body({ query }: { query: ReturnType<typeof useQuery<Listed>> }) {
  const { data, error, isFetching, dataUpdatedAt, refetch } = query;
  if (error && !data) {
    return (
      <Failure title="The alerts cannot be listed" error={error} onRetry={() => void refetch()} />
    );
  }
  if (!data) {
    return <Skeleton lines={8} height={44} />;
  }
  if (data.alerts.length === 0) {
    return (
      <Empty
        title="There is no alert"
        actions={<AppLinkButton href="/alerts/new">New alert</AppLinkButton>}
      >
        An alert watches a saved search or a tile of a dashboard. It tells a webhook when the value
        crosses a threshold.
      </Empty>
    );
  }
  return (
    <div className={styles.list}>
      <LoadBar isOn={isFetching} />
      {error && <StaleNote error={error} atMs={dataUpdatedAt} onRetry={() => void refetch()} />}
      <MaintenanceBanner />
      <Found {...data} />
    </div>
  );
}

/** What is muted now, and until when. */
function MaintenanceBanner() {
  const { data: windows = [] } = useQuery(maintenanceQuery);
  const [zonePref] = usePref('zone');
  const active = windows.filter((window) => window.active);
  if (active.length === 0) {
    return null;
  }
  return (
    <Notice>
      {active.map((window) => (
        <p key={window.id} className={styles.banner}>
          Maintenance <Link to="/alerts/maintenance">“{window.name}”</Link> until{' '}
          {formatTime(endOf(window), zoneName(zonePref), 'minute')}. The alerts that it covers are
          evaluated and send nothing.
        </p>
      ))}
    </Notice>
  );
}

function Found({ alerts, total }: Listed) {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const subjectOf = useSubjects();
  const show = (changes: Partial<AlertsParams>): void => {
    void navigate({
      search: (before: AlertsParams) => compact({ ...before, ...changes }),
      replace: true,
    });
  };
  const { state, tag, find = '' } = params;
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = alerts
    .filter((alert) => tag === undefined || alert.tags?.includes(tag) === true)
    .filter((alert) => {
      const text = `${nameOf(alert)} ${(alert.tags ?? []).join(' ')} ${subjectOf(alert)}`;
      return words.every((word) => text.toLowerCase().includes(word));
    });
  const found = fitting
    .filter((alert) => state === undefined || isInState(alert, state))
    .toSorted(byUrgency);
  return (
    <>
      <Finder all={alerts} fitting={fitting} params={params} onShow={show} />
      {total > alerts.length && (
        <p className={styles.note}>
          The first {formatCount(alerts.length)} of {formatCount(total)} alerts, in the order in
          which they were made.
        </p>
      )}
      {found.length > 0 ? (
        <AlertTable alerts={found} subjectOf={subjectOf} onTag={(next) => show({ tag: next })} />
      ) : (
        <Empty
          title="No alert is found"
          actions={
            <Button
              size="small"
              onClick={() => show({ state: undefined, tag: undefined, find: undefined })}
            >
              Show all {formatCount(alerts.length)}
            </Button>
          }
        >
          None of {formatCount(alerts.length)} {alerts.length === 1 ? 'alert' : 'alerts'} fits what
          is chosen above.
        </Empty>
      )}
    </>
  );
}
