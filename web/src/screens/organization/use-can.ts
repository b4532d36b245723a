import { useQuery } from '@tanstack/react-query';
import { sessionQuery, type Session } from '../../api/queries/session.ts';

/** Whether the person has a scope. */
export function useCan(): (scope: Session['scopes'][number]) => boolean {
  const { data: session } = useQuery(sessionQuery);
  return (scope) => session?.scopes.includes(scope) === true;
}
