import { useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { endSessions, ownSessionsQuery, type OwnSession } from '../../api/queries/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { ActionsCell, Cell, ListTable, TitleCell } from '../../kit/list-table.tsx';
import { toast } from '../../kit/toast.tsx';
import { PasswordForm } from '../../shell/password-form.tsx';
import { plural } from '../../view/number-format.ts';
import { browserName } from './browser-name.ts';
import { Listed } from './listed.tsx';
import { PageHead } from './page-head.tsx';
import { useTimes } from './use-times.ts';
import styles from './settings.module.css';

const about =
  'Browsers in which you are signed in. ' +
  'A session ends after 7 days without use, or 30 days after the sign-in.';

/** Where the person is signed in, and their password. */
export function Sessions() {
  const sessions = useQuery(ownSessionsQuery);
  const [ending, setEnding] = useState<readonly OwnSession[]>();
  return (
    <>
      <PageHead title="Sessions" about={about} />
      <Listed query={sessions} failed="The sessions cannot be listed">
        {(list) => <SessionTable sessions={list} onEnd={setEnding} />}
      </Listed>
      <section className={styles.section}>
        <h2>Password</h2>
        <PasswordForm />
      </section>
      {ending && <EndDialog sessions={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

interface SessionTableProps {
  sessions: readonly OwnSession[];
  onEnd(sessions: readonly OwnSession[]): void;
}

function SessionTable({ sessions, onEnd }: SessionTableProps) {
  const { time, zone } = useTimes();
  const others = sessions.filter(({ current }) => !current);
  return (
    <div className={styles.section}>
      <ListTable
        label="Sessions"
        columns={[
          { label: 'Browser' },
          { label: `Signed in (${zone})`, isExtra: true },
          { label: `Last used (${zone})`, isExtra: true },
          { label: 'Actions', isActions: true },
        ]}
      >
        {sessions.map((session) => (
          <tr key={session.id}>
            <TitleCell
              title={
                <>
                  <span title={session.browser}>{browserName(session.browser)}</span>
                  {session.current && <span className={styles.badge}>This session</span>}
                </>
              }
              note={session.address ?? 'Unknown address'}
              smallNote={`Last used: ${time(session.lastUsedAt)}`}
            />
            <Cell isExtra>{time(session.createdAt)}</Cell>
            <Cell isExtra>{time(session.lastUsedAt)}</Cell>
            <ActionsCell>
              {!session.current && (
                <IconButton
                  label={`End ${browserName(session.browser)}`}
                  onClick={() => onEnd([session])}
                >
                  <LogOut size={16} aria-hidden />
                </IconButton>
              )}
            </ActionsCell>
          </tr>
        ))}
      </ListTable>
      {others.length > 0 ? (
        <div className={styles.buttons}>
          <Button look="danger" onClick={() => onEnd(others)}>
            End all other sessions
          </Button>
        </div>
      ) : (
        <p className={styles.muted}>You are signed in nowhere else.</p>
      )}
    </div>
  );
}

interface EndDialogProps {
  sessions: readonly OwnSession[];
  onClose(): void;
}

function EndDialog({ sessions, onClose }: EndDialogProps) {
  const { isBusy, error, run } = useAction();
  const what = plural(sessions.length, 'session');
  const end = async (): Promise<void> => {
    await endSessions(sessions.map(({ id }) => id));
    toast(`${what} ended.`);
    onClose();
  };
  return (
    <Confirm
      title={sessions.length === 1 ? 'End this session?' : `End ${what}?`}
      action={sessions.length === 1 ? 'End session' : 'End sessions'}
      isBusy={isBusy}
      error={error}
      onConfirm={() => void run(end)}
      onClose={onClose}
    >
      <p>Whoever uses them has to sign in again. This session stays.</p>
    </Confirm>
  );
}
