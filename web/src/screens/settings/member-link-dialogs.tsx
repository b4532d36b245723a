import { useState } from 'react';
import {
  addMember,
  newMemberLink,
  type Member,
  type MemberLink,
  type UserRole,
} from '../../api/queries/members.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../kit/button.tsx';
import { Choices } from '../../kit/choices.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { SecretDialog } from '../../kit/secret-dialog.tsx';
import { ErrorText } from '../../kit/state.tsx';
import { roles, roleHints } from './roles.ts';
import { useTimes } from './use-times.ts';

/** Adds a member, then shows the link once. */
export function AddMemberDialog({ onClose }: { onClose(): void }) {
  const [form, setForm] = useState<{ email: string; name: string; role: UserRole }>({
    email: '',
    name: '',
    role: 'member',
  });
  const [made, setMade] = useState<{ who: string; link: MemberLink }>();
  const { isBusy, error, run } = useAction();
  const { email, name, role } = form;
  if (made) {
    return <LinkDialog title={`${made.who} is added`} link={made.link} onClose={onClose} />;
  }
  const add = async (): Promise<void> => {
    const given = name.trim();
    const { member, link } = await addMember({
      email: email.trim(),
      role,
      ...(given !== '' && { name: given }),
    });
    setMade({ who: member.name ?? member.email, link });
  };
  return (
    <Dialog
      title="Add a member"
      open
      onOpenChange={onClose}
      onSubmit={() => void run(add)}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={isBusy || email.trim() === ''}>
            Add member
          </Button>
        </>
      }
    >
      <Field
        label="Email"
        type="email"
        autoFocus
        autoComplete="off"
        value={email}
        error={error?.issueAt('email')}
        onChange={(event) => setForm({ ...form, email: event.target.value })}
      />
      <Field
        label="Name (optional)"
        autoComplete="off"
        maxLength={255}
        value={name}
        error={error?.issueAt('name')}
        onChange={(event) => setForm({ ...form, name: event.target.value })}
      />
      <Choices
        label="Role"
        hint={roleHints[role]}
        value={role}
        choices={roles}
        onChange={(next) => setForm({ ...form, role: next })}
      />
      <ErrorText error={error?.issues.length === 0 ? error : undefined} />
    </Dialog>
  );
}

interface NewLinkDialogProps {
  member: Member;
  onClose(): void;
}

/** Makes a new link, for a member who lost the link or the password. */
export function NewLinkDialog({ member, onClose }: NewLinkDialogProps) {
  const [link, setLink] = useState<MemberLink>();
  const { isBusy, error, run } = useAction();
  const who = member.name ?? member.email;
  if (link) {
    return <LinkDialog title={`Link for ${who}`} link={link} onClose={onClose} />;
  }
  return (
    <Confirm
      title={`Create a new link for ${who}?`}
      action="Create link"
      look="primary"
      isBusy={isBusy}
      error={error}
      onConfirm={() => void run(async () => setLink(await newMemberLink(member.id)))}
      onClose={onClose}
    >
      <p>
        With it, {who} sets a new password, and their other sessions end. Earlier links stop
        working.
      </p>
    </Confirm>
  );
}

interface LinkDialogProps {
  title: string;
  link: MemberLink;
  onClose(): void;
}

/** The link is in this dialog and nowhere else: it goes when the dialog is closed. */
function LinkDialog({ title, link, onClose }: LinkDialogProps) {
  const { time, zone } = useTimes();
  return (
    <SecretDialog
      title={title}
      label="Link"
      text={`${location.origin}${link.path}`}
      onClose={onClose}
    >
      <p>
        Whoever opens it first sets the password. It works once, until {time(link.expiresAt)} {zone}
        . Send it over a private channel.
      </p>
    </SecretDialog>
  );
}
