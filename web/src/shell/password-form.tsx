import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { changePassword, sessionQuery } from '../api/queries/session.ts';
import { useAction } from '../api/use-action.ts';
import { Button } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { ErrorText } from '../kit/state.tsx';
import { toast } from '../kit/toast.tsx';
import styles from './password-form.module.css';

const empty = { current: '', next: '' };

/** Changes the person's own password. */
export function PasswordForm() {
  const { data: session } = useQuery(sessionQuery);
  const [{ current, next }, setForm] = useState(empty);
  const { isBusy, error, run } = useAction();
  if (session?.hasPassword === false) {
    return (
      <p className={styles.muted}>
        You sign in with your organization and have no password here. To get one, ask an admin for a
        link.
      </p>
    );
  }
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      await changePassword({ currentPassword: current, newPassword: next });
      setForm(empty);
      toast('Password changed. Your other sessions have ended.');
    });
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <input
        type="hidden"
        name="username"
        autoComplete="username"
        value={session?.user.email ?? ''}
        readOnly
      />
      <Field
        label="Current password"
        type="password"
        autoComplete="current-password"
        value={current}
        error={error?.issueAt('currentPassword')}
        onChange={(event) => setForm({ current: event.target.value, next })}
      />
      <Field
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least 8 characters. All your other sessions end."
        value={next}
        error={error?.issueAt('newPassword')}
        onChange={(event) => setForm({ current, next: event.target.value })}
      />
      <ErrorText error={error?.issues.length === 0 ? error : undefined} />
      <Button
        type="submit"
        disabled={isBusy || current === '' || next === ''}
        className={styles.submit}
      >
        {isBusy ? 'Changing…' : 'Change password'}
      </Button>
    </form>
  );
}
