import { useQuery } from '@tanstack/react-query';
import { membersQuery } from '../api/queries/members.ts';
import { Notice } from '../kit/notice.tsx';
import { usePipeRights } from './rights.ts';

/** Why actions are off, and who can help. Nothing for an admin. */
export function RightsNote() {
  const { canChange } = usePipeRights();
  return canChange ? null : <AskAdmin what="start, stop, change and delete pipes" />;
}

/** What only an admin can do, and who can help. */
export function AskAdmin({ what }: { what: string }) {
  const { data: members = [] } = useQuery(membersQuery);
  const admins = members.filter(({ role }) => role === 'admin').map(({ email }) => email);
  return (
    <Notice>
      You have the role member. Only an admin can {what}.
      {admins.length > 0 && ` Ask ${admins.join(', ')}.`}
    </Notice>
  );
}
