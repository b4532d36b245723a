import { useQuery } from '@tanstack/react-query';
import { Store } from 'lucide-react';
import { demoQuery, startDemo, stopDemo, type Demo } from '../../api/queries/demo.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorText, Failure } from '../../kit/state.tsx';
import { usePref } from '../../view/use-pref.ts';
import { formatTime, zoneLabel, zoneName } from '../../view/zone.ts';
import styles from './welcome.module.css';

/** Starts and ends the demo shop. */
export function DemoShop({ canChange }: { canChange: boolean }) {
  const demo = useQuery(demoQuery);
  const { isBusy, error, run } = useAction();
  if (demo.error) {
    return (
      <Failure
        title="The state of the demo shop cannot be read"
        error={demo.error}
        onRetry={() => void demo.refetch()}
      />
    );
  }
  const isRunning = demo.data?.state === 'running';
  return (
    <>
      <p className={styles.about}>
        No program at hand? A simulated shop of seven services sends logs, traces and metrics, the
        last half hour first. What it sends stays when you stop it.
      </p>
      {demo.data && <DemoState demo={demo.data} canChange={canChange} />}
      {canChange && demo.data && demo.data.state !== 'unavailable' && (
        <div className={styles.buttons}>
          <Button
            icon={<Store size={14} aria-hidden />}
            disabled={isBusy}
            onClick={() => void run(isRunning ? stopDemo : startDemo)}
          >
            {isRunning ? 'Stop the demo shop' : 'Start the demo shop'}
          </Button>
        </div>
      )}
      <ErrorText error={error} />
    </>
  );
}

function DemoState({ demo, canChange }: { demo: Demo; canChange: boolean }) {
  const [pref] = usePref('zone');
  const zone = zoneName(pref);
  if (demo.state === 'unavailable') {
    return <p>This server cannot run it: it shares its store, or receives no telemetry.</p>;
  }
  if (demo.startedAt !== undefined) {
    const since = formatTime(Date.parse(demo.startedAt), zone, 'minute');
    return (
      <p className={styles.running} role="status">
        Running since {since} {zoneLabel(zone)}
      </p>
    );
  }
  return canChange ? null : <p>Only an admin can start it. Ask an admin of your team.</p>;
}
