import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { firstStepsQuery } from '../../api/queries/first-steps.ts';
import { Failure } from '../../kit/state.tsx';
import { Hidden } from '../../kit/text.tsx';
import { PageLink } from './page-link.tsx';
import styles from './welcome.module.css';

/** What a team sets up, and what of it exists. */
export function Checklist({ hasRows }: { hasRows: boolean }) {
  const { data: steps, error, refetch } = useQuery(firstStepsQuery);
  if (error) {
    return (
      <Failure title="The checklist cannot be read" error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <ul className={styles.checklist} aria-label="First steps">
      <Step isDone={hasRows} about="Rows of logs and traces to search">
        {hasRows ? <Link to="/search">Data</Link> : 'Data'}
      </Step>
      <Step isDone={steps?.dashboard === true} about="Charts of what matters to you">
        <PageLink path="/dashboards" tag="Dashboards">
          Dashboard
        </PageLink>
      </Step>
      <Step isDone={steps?.webhook === true} about="Where notifications go">
        <PageLink path="/settings/webhooks" tag="Webhooks">
          Webhook
        </PageLink>
      </Step>
      <Step isDone={steps?.alert === true} about="A condition that tells you">
        <PageLink path="/alerts" tag="Alerts">
          Alert
        </PageLink>
      </Step>
    </ul>
  );
}

function Step({
  isDone,
  about,
  children,
}: {
  isDone: boolean;
  about: string;
  children: ReactNode;
}) {
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <li className={styles.step} data-done={isDone || undefined}>
      <Icon size={18} aria-hidden />
      <div>
        <p className={styles.stepTitle}>
          {children}
          <Hidden>{isDone ? ', done' : ', to do'}</Hidden>
        </p>
        <p className={styles.about}>{about}</p>
      </div>
    </li>
  );
}
