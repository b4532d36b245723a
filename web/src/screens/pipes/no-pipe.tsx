import { Link } from '@tanstack/react-router';
import { LinkButton } from '../../kit/button.tsx';
import { Empty } from '../../kit/state.tsx';
import { NewPipeLink } from './new-pipe-link.tsx';

/** What to do where there is no pipe. */
export function NoPipe() {
  return (
    <Empty
      title="There is no pipe"
      actions={
        <>
          <NewPipeLink />
          <LinkButton href="/v1/docs" target="_blank" rel="noreferrer">
            Reference of the API
          </LinkButton>
          <Link to="/welcome">First steps</Link>
        </>
      }
    >
      A pipe reads Kafka, object storage, a cloudstream or PostgreSQL, and stores each record
      exactly once in a table. Create one here step by step, or over the API.
    </Empty>
  );
}
