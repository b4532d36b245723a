import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { sessionQuery, type Session } from '../../api/queries/session.ts';
import {
  renameTeam,
  rotateIngestionKey,
  showIngestionKey,
  type IngestionKey,
} from '../../api/queries/team.ts';
import { useAction } from '../../api/use-action.ts';
import { useRight } from '../../api/use-right.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Field } from '../../kit/field.tsx';
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
        {(about) => <About session={about} />}
      </Listed>
      <IngestionKeySection />
    </>
  );
}

function About({ session: { team, organizationId, serviceId } }: { session: Session }) {
  const canRename = useRight('members:write');
  return (
    <section className={styles.section}>
      <h2>About</h2>
      {canRename && <NameForm name={team.name} />}
      <dl className={styles.facts}>
        {!canRename && (
          <>
            <dt>Name</dt>
            <dd>
              {team.name} <span className={styles.muted}>(an admin can change it)</span>
            </dd>
          </>
        )}
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
  );
}

/** The name, to change. A change of somebody else arrives while the field is untouched. */
function NameForm({ name }: { name: string }) {
  const [typed, setTyped] = useState<string>();
  const { isBusy, error, run } = useAction();
  const next = (typed ?? name).trim();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (next === '' || next === name) {
      return;
    }
    void run(async () => {
      await renameTeam(next);
      setTyped(undefined);
      toast(`The team is called “${next}” now.`);
    });
  };
  const nameError = error?.issueAt('name');
  return (
    <form className={styles.fields} onSubmit={submit} noValidate>
      <Field
        label="Name"
        hint="Everybody in the team sees it. It is also the name of the service."
        autoComplete="off"
        maxLength={255}
        value={typed ?? name}
        error={nameError}
        onChange={(event) => setTyped(event.target.value)}
      />
      {nameError === undefined && <ErrorText error={error} />}
      <div className={styles.buttons}>
        <Button type="submit" disabled={isBusy || next === '' || next === name}>
          {isBusy ? 'Renaming…' : 'Rename'}
        </Button>
      </div>
    </form>
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
