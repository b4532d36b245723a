import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { isWithoutRows } from '../../api/queries/first-row.ts';
import { signIn, signInOptionsQuery } from '../../api/queries/session.ts';
import { Button, LinkButton } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { Mark } from '../../shell/mark.tsx';
import { signInErrors } from './params.ts';
import styles from './sign-in.module.css';

const route = getRouteApi('/sign-in');

export function SignIn() {
  const router = useRouter();
  const { next, error: refusal } = route.useSearch();
  const { data: options } = useQuery(signInOptionsQuery);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await signIn(email, password);
      // Without a row there is nothing to see at any other address.
      router.history.push((await isWithoutRows()) ? '/welcome' : (next ?? '/'));
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : new ApiError(0, undefined));
      setPassword('');
    } finally {
      setBusy(false);
    }
  };
  const general = error && error.issues.length === 0 ? error.message : undefined;
  return (
    <main className={styles.page}>
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        <Mark size={32} />
        <h1>Sign in to Sightline</h1>
        {refusal && (
          <p className={styles.refusal} role="alert">
            {signInErrors[refusal]}
          </p>
        )}
        <Field
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          autoFocus
          value={email}
          error={error?.issueAt('email')}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          value={password}
          error={error?.issueAt('password') ?? general}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button
          look="primary"
          type="submit"
          disabled={isBusy || email === '' || password === ''}
          className={styles.submit}
        >
          {isBusy ? 'Signing in…' : 'Sign in'}
        </Button>
        {options?.singleSignOn === true && (
          <LinkButton href={`/sign-in/oidc?next=${encodeURIComponent(next ?? '/')}`}>
            Sign in with your organization
          </LinkButton>
        )}
        <p className={styles.note}>
          The first start of the server prints an account. To reset a password, run{' '}
          <code>sightline admin users password</code> on the server.
        </p>
      </form>
    </main>
  );
}
