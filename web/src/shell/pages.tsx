import { Link, type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Empty, Failure } from '../kit/state.tsx';

export function MissingPage() {
  return (
    <main>
      <Empty title="There is no such page" actions={<Link to="/search">Go to search</Link>}>
        Its address may be wrong, or the object was deleted.
      </Empty>
    </main>
  );
}

export function BrokenPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <main>
      <Failure
        title="This page cannot be shown"
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={retry}
      />
    </main>
  );
}
