import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { onSessionEnd } from '../api/client.ts';
import { queries } from '../api/query-client.ts';
import { sessionQuery, signIn } from '../api/queries/session.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Field } from '../kit/field.tsx';

/**
 * Asks for the password when the session has ended. The page below keeps what was typed, and the
 * calls that met the end are sent again.
 */
export function SessionDialog() {
  const waiting = useRef<(() => void)[]>([]);
  const [isOpen, setOpen] = useState(false);
  const email = queries.getQueryData(sessionQuery.queryKey)?.user.email ?? '';

  useEffect(() => {
    onSessionEnd(() => {
      // Nobody was signed in: the router leads to the sign-in page.
      if (!queries.getQueryData(sessionQuery.queryKey)) {
        return Promise.resolve();
      }
      setOpen(true);
      return new Promise((resolve) => waiting.current.push(resolve));
    });
  }, []);

  const renewed = (): void => {
    setOpen(false);
    for (const resolve of waiting.current.splice(0)) {
      resolve();
    }
  };
  return isOpen ? <PasswordDialog email={email} onSignedIn={renewed} /> : null;
}

function PasswordDialog({ email, onSignedIn }: { email: string; onSignedIn(): void }) {
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  const submit = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await signIn(email, password);
      onSignedIn();
    } catch (failure) {
      setError(failure instanceof ApiError ? failure.message : String(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Your session has ended"
      description={`Sign in again as ${email}. Nothing that you typed is lost.`}
      open
      mustAnswer
      onOpenChange={() => undefined}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={() => location.assign('/sign-in')}>Use another account</Button>
          <Button look="primary" type="submit" disabled={isBusy || password === ''}>
            Sign in
          </Button>
        </>
      }
    >
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field
        label="Password"
        type="password"
        autoComplete="current-password"
        autoFocus
        value={password}
        error={error}
        onChange={(event) => setPassword(event.target.value)}
      />
    </Dialog>
  );
}
