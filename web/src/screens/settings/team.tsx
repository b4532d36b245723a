import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/queries/session.ts';
import { rotateIngestionKey, showIngestionKey, type IngestionKey } from '../../api/queries/team.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { SecretText } from '../../kit/secret-text.tsx';
import { ErrorText } from '../../kit/state.tsx';
import { toast } from '../../kit/toast.tsx';
import { Listed } from './listed.tsx';
import { PageHead } from './page-head.tsx';
import { useTimes } from './use-times.ts';
import styles from './settings.module.css';

/** The team and its ingestion key. */
export function Team() {
  const session = useQuery(sessionQuery);
  return (
    <>
      <PageHead title="Team" about="Everything here belongs to all members of the team." />
      <Listed query={session} failed="The team cannot be read">
        {({ team, organizationId, serviceId }) => (
          <section className={styles.section}>
            <h2>About</h2>
            <dl className={styles.facts}>
              <dt>Name</dt>
              <dd>{team.name}</dd>
              <dt>Team id</dt>
              <dd>
                <code>{team.id}</code>
              </dd>
              <dt>Organization id</dt>
              <dd>
                <code>{organizationId}</code>
              </dd>
              <dt>Service id</dt>
              <dd>
                <code>{serviceId}</code>
              </dd>
            </dl>
          </section>
        )}
      </Listed>
      <IngestionKeySection />
    </>
  );
}

/** The key is in the state of this component and nowhere else: it goes with the page. */
function IngestionKeySection() {
  const [shown, setShown] = useState<IngestionKey>();
  const [isRotating, setRotating] = useState(false);
  const { isBusy, error, run } = useAction();
  const { time, zone } = useTimes();
  const show = (): Promise<void> => run(async () => setShown(await showIngestionKey()));
  return (
    <section className={styles.section}>
      <h2>Ingestion key</h2>
      <p className={styles.muted}>
        Senders of telemetry show this key. It cannot read anything. The audit trail records each
        time that somebody shows it.
      </p>
      {shown && (
        <>
          <SecretText label="Ingestion key" text={shown.key} />
          <p className={styles.muted}>
            Valid since {time(shown.createdAt)} {zone}.
          </p>
        </>
      )}
      <ErrorText error={error} />
      <div className={styles.buttons}>
        {shown ? (
          <Button onClick={() => setShown(undefined)}>Hide key</Button>
        ) : (
          <Button disabled={isBusy} onClick={() => void show()}>
            Show key
          </Button>
        )}
        <Button look="danger" onClick={() => setRotating(true)}>
          Replace key…
        </Button>
      </div>
      {isRotating && (
        <RotateDialog
          onRotated={(key) => {
            setShown(key);
            setRotating(false);
            toast('The ingestion key is replaced.');
          }}
          onClose={() => setRotating(false)}
        />
      )}
    </section>
  );
}

interface RotateDialogProps {
  onRotated(key: IngestionKey): void;
  onClose(): void;
}

function RotateDialog({ onRotated, onClose }: RotateDialogProps) {
  const { isBusy, error, run } = useAction();
  return (
    <Confirm
      title="Replace the ingestion key?"
      action="Replace key"
      word="replace"
      isBusy={isBusy}
      error={error}
      onConfirm={() => void run(async () => onRotated(await rotateIngestionKey()))}
      onClose={onClose}
    >
      <p>
        The server refuses every sender that still uses the old key, from this moment on. Their
        telemetry is lost until they have the new key.
      </p>
    </Confirm>
  );
}
