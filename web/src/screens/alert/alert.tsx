import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { alertHistoryQuery, alertQuery, type VersionedAlert } from '../../api/queries/alerts.ts';
import { AcknowledgeDialog } from '../../alerting/acknowledge-dialog.tsx';
import { nameOf } from '../../alerting/states.ts';
import { Button } from '../../kit/button.tsx';
import { Empty, Failure, Notice, Skeleton } from '../../kit/state.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { toast } from '../../kit/toast.tsx';
import { useRecentPage } from '../../view/recent.ts';
import { usePref } from '../../view/use-pref.ts';
import { formatClock, zoneName } from '../../view/zone.ts';
import { Definition } from './definition.tsx';
import { Deliveries } from './deliveries.tsx';
import { Evaluations } from './evaluations.tsx';
import { Head } from './head.tsx';
import { HistoryChart } from './history-chart.tsx';
import { Incident } from './incident.tsx';
import { useAlertKeys } from './keys.ts';
import { useAlertModel, type AlertModel } from './model.ts';
import type { AlertTab } from './params.ts';
import { Status } from './status.tsx';
import { useSubject, type Subject } from './subject.ts';
import { WhyPanel } from './why-panel.tsx';
import styles from './alert.module.css';

const route = getRouteApi('/inside/alerts/$id');
const refreshMs = 15_000;

/** One alert: whether it fires, what it saw, whom it told, and why. */
export function Alert() {
  const { id } = route.useParams();
  const query = useQuery({ ...alertQuery(id), refetchInterval: refreshMs });
  const { data, error, refetch } = query;
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
    return (
      <Empty title="There is no such alert" actions={<Link to="/alerts">Alerts</Link>}>
        Somebody deleted it, or the address is wrong.
      </Empty>
    );
  }
  if (!data) {
    return error ? (
      <Failure title="The alert cannot be shown" error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton lines={8} height={64} />
    );
  }
  return (
    <Shown
      key={id}
      stored={data}
      failure={
        error ? { error, atMs: query.dataUpdatedAt, retry: () => void refetch() } : undefined
      }
    />
  );
}

/** Why the page could not be refreshed, and of when it is. */
interface RefreshFailure {
  error: Error;
  atMs: number;
  retry(): void;
}

interface ShownProps {
  stored: VersionedAlert;
  failure: RefreshFailure | undefined;
}

function Shown({ stored, failure }: ShownProps) {
  const { item: alert } = stored;
  const navigate = useNavigate();
  const model = useAlertModel(alert);
  const subject = useSubject(alert);
  const [doing, setDoing] = useState<'silence' | 'acknowledge' | 'time'>();
  const [group, setGroup] = useState<readonly string[]>();
  useRecentPage(nameOf(alert));
  const acknowledge = (of?: readonly string[]): void => {
    if (alert.state !== 'firing') {
      toast(`“${nameOf(alert)}” does not fire.`);
      return;
    }
    setGroup(of);
    setDoing('acknowledge');
  };
  useAlertKeys(alert, model, {
    silence: () => setDoing('silence'),
    acknowledge: () => acknowledge(),
    time: () => setDoing('time'),
  });
  return (
    <div className={styles.screen}>
      <div className={styles.page}>
        <Head
          alert={alert}
          model={model}
          open={doing}
          onOpen={setDoing}
          onAcknowledge={() => acknowledge()}
          onDeleted={() => void navigate({ to: '/alerts', replace: true })}
        />
        {failure && <Stale {...failure} />}
        <Status alert={alert} subject={subject} />
        {alert.state === 'firing' && <Incident alert={alert} onAcknowledge={acknowledge} />}
        <HistoryChart alert={alert} model={model} subject={subject} />
        <Details stored={stored} model={model} subject={subject} />
      </div>
      {model.params.window !== undefined && (
        <WhyPanel alert={alert} model={model} subject={subject} windowEndMs={model.params.window} />
      )}
      {doing === 'acknowledge' && (
        <AcknowledgeDialog alert={alert} group={group} onClose={() => setDoing(undefined)} />
      )}
    </div>
  );
}

function Stale({ error, atMs, retry }: RefreshFailure) {
  const [zonePref] = usePref('zone');
  return (
    <Notice
      action={
        <Button size="small" look="plain" onClick={retry}>
          Try again
        </Button>
      }
    >
      As of {formatClock(atMs, zoneName(zonePref))}: {error.message}
    </Notice>
  );
}

interface DetailsProps {
  stored: VersionedAlert;
  model: AlertModel;
  subject: Subject;
}

function Details({ stored, model, subject }: DetailsProps) {
  const { params, show, span } = model;
  const { item: alert } = stored;
  const history = useQuery(alertHistoryQuery({ id: alert.id, ...span }));
  const tab: AlertTab = params.tab ?? 'evaluations';
  return (
    <div className={styles.details}>
      <Tabs
        label="Details"
        value={tab}
        tabs={[
          { value: 'evaluations', label: 'Evaluations' },
          { value: 'deliveries', label: 'Deliveries' },
          { value: 'definition', label: 'Definition' },
        ]}
        onChange={(next) => show({ tab: next === 'evaluations' ? undefined : next })}
      >
        <div className={styles.tab}>
          {tab === 'evaluations' && (
            <Evaluations history={history} model={model} subject={subject} />
          )}
          {tab === 'deliveries' && <Deliveries alert={alert} model={model} />}
          {tab === 'definition' && <Definition stored={stored} subject={subject} />}
        </div>
      </Tabs>
    </div>
  );
}
