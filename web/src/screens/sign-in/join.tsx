import { useRouter } from '@tanstack/react-router';
import { useEffect, useState, type SubmitEvent } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { acceptLink } from '../../api/queries/session.ts';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { Mark } from '../../shell/mark.tsx';
import styles from './sign-in.module.css';

/** A new member sets a password with the one-time link of an admin. */
export function Join() {
  const router = useRouter();
  const [token] = useState(() => location.hash.slice(1));
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();

  // The token opens the account, so it does not stay in the address bar and the history.
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await acceptLink(token, password);
      router.history.push('/');
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : new ApiError(0, undefined));
    } finally {
      setBusy(false);
    }
  };
  if (token === '') {
    return (
      <main className={styles.page}>
        <div className={styles.form}>
          <Mark size={32} />
          <h1>This link is not complete</h1>
          <p>Copy the whole link that your admin sent, or ask for a new one.</p>
        </div>
      </main>
    );
  }
  return (
    <main className={styles.page}>
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        <Mark size={32} />
        <h1>Welcome to Sightline</h1>
        <Field
          label="New password"
          type="password"
          name="password"
          autoComplete="new-password"
          autoFocus
          hint="At least 8 characters."
          value={password}
          error={error && (error.issueAt('password') ?? error.message)}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button
          look="primary"
          type="submit"
          disabled={isBusy || password === ''}
          className={styles.submit}
        >
          {isBusy ? 'Saving…' : 'Save password and sign in'}
        </Button>
      </form>
    </main>
  );
}
