import { useQuery } from '@tanstack/react-query';
import { Store } from 'lucide-react';
import { useState } from 'react';
import { demoQuery, startDemo, stopDemo, type Demo } from '../../api/queries/demo.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../kit/button.tsx';
import { Toggle } from '../../kit/choices.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { ErrorText, Failure } from '../../kit/state.tsx';
import { toast } from '../../kit/toast.tsx';
import { plural } from '../../view/number-format.ts';
import { usePref } from '../../view/use-pref.ts';
import { formatTime, zoneLabel, zoneName } from '../../view/zone.ts';
import { PageLink } from './page-link.tsx';
import styles from './welcome.module.css';

/** Starts and ends the demo shop, and shows what it made. */
export function DemoShop({ canChange }: { canChange: boolean }) {
  const demo = useQuery(demoQuery);
  if (demo.error) {
    return (
      <Failure
        title="The state of the demo shop cannot be read"
        error={demo.error}
        onRetry={() => void demo.refetch()}
      />
    );
  }
  return (
    <>
      <p className={styles.about}>
        No program at hand? A simulated shop of seven services sends logs, traces and metrics, the
        last half hour first. With it come a dashboard, an alert that fires every few minutes, and a
        webhook that counts its notifications.
      </p>
      {demo.data && <DemoState demo={demo.data} canChange={canChange} />}
      {demo.data && <DemoObjects demo={demo.data} />}
      {canChange && demo.data && <DemoButtons demo={demo.data} />}
    </>
  );
}

interface DemoProps {
  demo: Demo;
}

function DemoButtons({ demo: { state, objects } }: DemoProps) {
  const { isBusy, error, run } = useAction();
  const [isStopping, setStopping] = useState(false);
  const isRunning = state === 'running';
  return (
    <>
      <div className={styles.buttons}>
        {state !== 'unavailable' && (
          <Button
            icon={<Store size={14} aria-hidden />}
            disabled={isBusy}
            onClick={() => (isRunning ? setStopping(true) : void run(startDemo))}
          >
            {isRunning ? 'Stop the demo shop' : 'Start the demo shop'}
          </Button>
        )}
        {!isRunning && objects.length > 0 && (
          <Button look="danger" onClick={() => setStopping(true)}>
            Delete what it made
          </Button>
        )}
      </div>
      <ErrorText error={error} />
      {isStopping && (
        <StopDialog objects={objects} isRunning={isRunning} onClose={() => setStopping(false)} />
      )}
    </>
  );
}

interface StopDialogProps {
  objects: Demo['objects'];
  isRunning: boolean;
  onClose(): void;
}

function StopDialog({ objects, isRunning, onClose }: StopDialogProps) {
  const { isBusy, error, run } = useAction();
  const [deletes, setDeletes] = useState(!isRunning);
  const stop = async (): Promise<void> => {
    await stopDemo(deletes ? 'delete' : 'keep');
    toast(stopped(isRunning, deletes));
    onClose();
  };
  return (
    <Confirm
      title={isRunning ? 'Stop the demo shop?' : 'Delete what the demo shop made?'}
      action={isRunning ? 'Stop' : 'Delete'}
      isBusy={isBusy}
      error={error}
      onConfirm={() => void run(stop)}
      onClose={onClose}
    >
      <p>What it has sent stays as long as the retention says.</p>
      {isRunning && objects.length > 0 && (
        <Toggle
          label="Also delete what it made"
          hint={`${namesOf(objects)}. Alerts on the dashboard go with it.`}
          isOn={deletes}
          onChange={setDeletes}
        />
      )}
      {!isRunning && <p>{namesOf(objects)}. Alerts on the dashboard go with it.</p>}
    </Confirm>
  );
}

function stopped(wasRunning: boolean, deletes: boolean): string {
  if (!wasRunning) {
    return 'What the demo shop made is deleted.';
  }
  return deletes ? 'The demo shop is stopped and deleted.' : 'The demo shop is stopped.';
}

/** The objects in a sentence: `The dashboard “Shop (demo)” and the alert “Payment is failing”`. */
function namesOf(objects: Demo['objects']): string {
  const names = objects.map(({ kind, name }) => `the ${kind} “${name}”`);
  const text = new Intl.ListFormat('en').format(names);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function DemoState({ demo, canChange }: DemoProps & { canChange: boolean }) {
  const time = useTime();
  if (demo.state === 'unavailable') {
    return <p>This server cannot run it: it shares its store, or receives no telemetry.</p>;
  }
  if (demo.startedAt !== undefined) {
    const { count, lastAt } = demo.notifications;
    return (
      <p className={styles.running} role="status">
        Running since {time(demo.startedAt)}.{' '}
        {lastAt === undefined
          ? 'No notification yet.'
          : `${plural(count, 'notification')}, the last at ${time(lastAt)}.`}
      </p>
    );
  }
  return canChange ? null : <p>Only an admin can start it. Ask an admin of your team.</p>;
}

function useTime(): (iso: string) => string {
  const [pref] = usePref('zone');
  const zone = zoneName(pref);
  return (iso) => `${formatTime(Date.parse(iso), zone, 'minute')} ${zoneLabel(zone)}`;
}

const kindNames = { dashboard: 'Dashboard', webhook: 'Webhook', alert: 'Alert' } as const;
const pathOf = ({ kind, id }: Demo['objects'][number]): string =>
  kind === 'webhook' ? '/settings/webhooks' : `/${kind}s/${id}`;
const tags = { dashboard: 'Dashboards', webhook: 'Webhooks', alert: 'Alerts' } as const;

function DemoObjects({ demo: { objects } }: DemoProps) {
  if (objects.length === 0) {
    return null;
  }
  return (
    <dl className={styles.objects}>
      {objects.map((object) => (
        <div key={object.id}>
          <dt>{kindNames[object.kind]}</dt>
          <dd>
            <PageLink path={pathOf(object)} tag={tags[object.kind]}>
              {object.name}
            </PageLink>
          </dd>
        </div>
      ))}
    </dl>
  );
}
