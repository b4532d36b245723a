import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { changeRole, leaveTeam, removeMember, type Member } from '../../api/queries/members.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../kit/button.tsx';
import { Choices } from '../../kit/choices.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Notice } from '../../kit/notice.tsx';
import { ErrorText } from '../../kit/state.tsx';
import { toast } from '../../kit/toast.tsx';
import { roleHints, roles } from './roles.ts';

interface MemberDialogProps {
  member: Member;
  /** Whether the member is the person who does it. */
  isSelf: boolean;
  onClose(): void;
}

/** Changes the role of a member. The API keeps the last admin. */
export function RoleDialog({ member, isSelf, onClose }: MemberDialogProps) {
  const [role, setRole] = useState(member.role);
  const { isBusy, error, run } = useAction();
  const who = isSelf ? 'You' : (member.name ?? member.email);
  const change = async (): Promise<void> => {
    await changeRole(member.id, role);
    const verb = isSelf ? 'are' : 'is';
    toast(`${who} ${verb} ${role === 'admin' ? 'an admin' : 'a member'} now.`);
    onClose();
  };
  return (
    <Dialog
      title={isSelf ? 'Change your own role' : `Change the role of ${who}`}
      open
      onOpenChange={onClose}
      onSubmit={() => void run(change)}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={isBusy || role === member.role}>
            Change role
          </Button>
        </>
      }
    >
      <Choices
        label="Role"
        hint={roleHints[role]}
        value={role}
        choices={roles}
        onChange={(next) => setRole(next)}
      />
      {isSelf && role === 'member' && (
        <Notice look="warning">
          You lose the rights of an admin at once. Only another admin can give them back.
        </Notice>
      )}
      <ErrorText error={error} />
    </Dialog>
  );
}

export function RemoveDialog({ member, isSelf, onClose }: MemberDialogProps) {
  const router = useRouter();
  const { isBusy, error, run } = useAction();
  const who = member.name ?? member.email;
  const remove = async (): Promise<void> => {
    if (isSelf) {
      await leaveTeam(member.id);
      await router.navigate({ to: '/sign-in' });
      return;
    }
    await removeMember(member.id);
    toast(`${who} is removed.`);
    onClose();
  };
  return (
    <Confirm
      title={isSelf ? 'Remove yourself?' : `Remove ${who}?`}
      action={isSelf ? 'Remove myself' : 'Remove member'}
      isBusy={isBusy}
      error={error}
      onConfirm={() => void run(remove)}
      onClose={onClose}
    >
      <p>
        {isSelf
          ? 'You are signed out at once and cannot sign in again. Your access keys are revoked.'
          : `${who} is signed out at once and cannot sign in again. Their access keys are revoked.`}{' '}
        Dashboards, alerts and saved searches stay.
      </p>
    </Confirm>
  );
}
