import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery, type Session } from './queries/session.ts';

/**
 * Whether the person has a right, or had it when this part of the page opened. An open form stays
 * with what was typed if the right is lost meanwhile: the server refuses it, and says whom to ask.
 */
export function useRight(scope: Session['scopes'][number]): boolean {
  const { data: session } = useQuery(sessionQuery);
  const has = session?.scopes.includes(scope) === true;
  const [had, setHad] = useState(has);
  if (has && !had) {
    setHad(true);
  }
  return has || had;
}
