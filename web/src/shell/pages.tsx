import { Link, type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Empty, Failure } from '../kit/state.tsx';
import { isMissingCode } from '../view/missing-code.ts';

export function MissingPage() {
  return (
    <main>
      <Empty title="There is no such page" actions={<Link to="/search">Go to search</Link>}>
        Its address may be wrong, or the object was deleted.
      </Empty>
    </main>
  );
}

const partMissing = new Error(
  'A part of it cannot be loaded. The network may be cut, or the server may have been upgraded ' +
    'since you opened this page.',
);

export function BrokenPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const isMissing = isMissingCode(error);
  const retry = (): void => {
    if (isMissing) {
      // The browser does not ask again for a file that it did not get.
      window.location.reload();
      return;
    }
    reset();
    void router.invalidate();
  };
  return (
    <main>
      <Failure
        title="This page cannot be shown"
        error={isMissing ? partMissing : asError(error)}
        onRetry={retry}
      />
    </main>
  );
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));
