import { useAskAdmin } from '../api/ask-admin.ts';
import { Notice } from '../kit/notice.tsx';
import { usePipeRights } from './rights.ts';

/** Why actions are off, and who can help. Nothing for an admin. */
export function RightsNote() {
  const { canChange } = usePipeRights();
  return canChange ? null : <AskAdmin what="start, stop, change and delete pipes" />;
}

/** What only an admin can do, and who can help. */
export function AskAdmin({ what }: { what: string }) {
  const ask = useAskAdmin();
  return (
    <Notice>
      You have the role member. Only an admin can {what}. {ask}
    </Notice>
  );
}
