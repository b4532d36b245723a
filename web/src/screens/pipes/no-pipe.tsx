import { Link } from '@tanstack/react-router';
import { LinkButton } from '../../kit/button.tsx';
import { Empty } from '../../kit/state.tsx';

/** What to do where there is no pipe. */
export function NoPipe() {
  return (
    <Empty
      title="There is no pipe"
      actions={
        <>
          <LinkButton href="/v1/docs" target="_blank" rel="noreferrer">
            Reference of the API
          </LinkButton>
          <Link to="/welcome">First steps</Link>
        </>
      }
    >
      A pipe reads Kafka, object storage, a cloudstream or PostgreSQL, and stores each record
      exactly once in a table. Create one over the API: the first steps have a snippet for it, and
      the reference describes every field of createPipe.
    </Empty>
  );
}
