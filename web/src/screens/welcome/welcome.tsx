import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { firstRowQuery } from '../../api/queries/first-row.ts';
import { sessionQuery } from '../../api/queries/session.ts';
import { Failure } from '../../kit/state.tsx';
import { PasswordForm } from '../../shell/password-form.tsx';
import { useTitle } from '../../view/use-title.ts';
import { Checklist } from './checklist.tsx';
import { DemoShop } from './demo-shop.tsx';
import { SendTelemetry } from './send-telemetry.tsx';
import styles from './welcome.module.css';

const pollMs = 2000;

/** First steps of a team. While no row exists, it waits for the first one and opens search on it. */
export function Welcome() {
  useTitle('First steps');
  const router = useRouter();
  const { data: session } = useQuery(sessionQuery);
  const first = useQuery({
    ...firstRowQuery,
    refetchInterval: ({ state }) => (state.data ? false : pollMs),
  });
  const hasWaited = useRef(false);
  const isWaiting = first.data === null;
  useEffect(() => {
    if (isWaiting) {
      hasWaited.current = true;
    } else if (first.data && hasWaited.current) {
      void router.navigate({ to: '/search', search: { source: first.data.sourceId } });
    }
  }, [isWaiting, first.data, router]);

  const about = isWaiting
    ? 'No telemetry has arrived yet. Search opens as soon as the first row does.'
    : 'Telemetry arrives. Here is what comes next, and how to connect more senders.';
  return (
    <div className={styles.scroll}>
      <div className={styles.page}>
        <header>
          <h1>Welcome to Sightline</h1>
          <p className={styles.about}>{first.data === undefined ? ' ' : about}</p>
        </header>
        {first.error && (
          <Failure
            title="Cannot look for rows"
            error={first.error}
            onRetry={() => void first.refetch()}
          />
        )}
        <Checklist hasRows={Boolean(first.data)} />
        {isWaiting && (
          <section className={styles.section}>
            <h2>Your own password</h2>
            <p className={styles.about}>
              If the server printed your password at its first start, replace it.
            </p>
            <PasswordForm />
          </section>
        )}
        <section className={styles.section}>
          <h2>Send telemetry</h2>
          <SendTelemetry isWaiting={isWaiting} />
        </section>
        <section className={styles.section}>
          <h2>Demo shop</h2>
          <DemoShop canChange={session?.scopes.includes('demo:write') === true} />
        </section>
      </div>
    </div>
  );
}
