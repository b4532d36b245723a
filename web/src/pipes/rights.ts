import type { Session } from '../api/queries/session.ts';
import { useRight } from '../api/use-right.ts';

export interface PipeRights {
  canChange: boolean;
  /** Why actions are off; undefined: they are on. */
  reason: string | undefined;
}

const onlyAdmins = 'Only an admin can change pipes.';

/** Whether the person may start, stop, change and delete pipes. */
export function usePipeRights(): PipeRights {
  const canChange = useRight('pipes:write');
  return { canChange, reason: canChange ? undefined : onlyAdmins };
}

type Reach = Pick<Session, 'organizationId' | 'serviceId' | 'scopes' | 'role'>;

/** What keeps a session from the pipes of a service, as a sentence; undefined: nothing. */
export function missingReach({
  organizationId,
  serviceId,
  scopes,
  role,
}: Reach): string | undefined {
  if (organizationId === '') {
    return 'Your session belongs to no organization. Ask an admin to add you to one, then sign in again.';
  }
  if (serviceId === '') {
    return 'Your session belongs to no service. Ask an admin to add you to one, then sign in again.';
  }
  return scopes.includes('pipes:read')
    ? undefined
    : `Your role, ${role}, has no right to read pipes. Ask an admin of your team for it.`;
}
