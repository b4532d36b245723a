import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  accessKeysQuery,
  createAccessKey,
  deleteAccessKey,
  type AccessKey,
} from '../../api/queries/team.ts';
import { useAction } from '../../api/use-action.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { ActionsCell, Cell, ListTable, TitleCell } from '../../kit/list-table.tsx';
import { SecretDialog } from '../../kit/secret-dialog.tsx';
import { Empty, ErrorText } from '../../kit/state.tsx';
import { toast } from '../../kit/toast.tsx';
import { Listed } from './listed.tsx';
import { PageHead } from './page-head.tsx';
import { useTimes } from './use-times.ts';

const route = getRouteApi('/inside/settings/keys');

/** The person's own keys for programs. */
export function AccessKeys() {
  const keys = useQuery(accessKeysQuery);
  const { new: isCreating } = route.useSearch();
  const navigate = route.useNavigate();
  const create = (
    <Button
      look="primary"
      icon={<Plus size={14} aria-hidden />}
      onClick={() => void navigate({ search: { new: true } })}
    >
      New key
    </Button>
  );
  return (
    <>
      <PageHead
        title="Access keys"
        about="Your own keys for programs that call the API. A key can do what you can do."
        action={create}
      />
      <Listed query={keys} failed="The keys cannot be listed">
        {(list) =>
          list.length === 0 ? (
            <Empty title="You have no access key">
              A program needs one to call <code>/api/v2</code>. Create one key for each program, so
              that you can revoke it alone.
            </Empty>
          ) : (
            <KeyTable keys={list} />
          )
        }
      </Listed>
      {isCreating && <CreateDialog onClose={() => void navigate({ search: {}, replace: true })} />}
    </>
  );
}

function KeyTable({ keys }: { keys: readonly AccessKey[] }) {
  const { time, zone } = useTimes();
  const [leaving, setLeaving] = useState<AccessKey>();
  const used = (key: AccessKey): string => (key.usedAt === undefined ? 'Never' : time(key.usedAt));
  return (
    <>
      <ListTable
        label="Access keys"
        columns={[
          { label: 'Name' },
          { label: `Created (${zone})`, isExtra: true },
          { label: `Last used (${zone})`, isExtra: true },
          { label: 'Actions', isActions: true },
        ]}
      >
        {keys.map((key) => (
          <tr key={key.id}>
            <TitleCell
              title={key.name}
              note={<code>…{key.keySuffix}</code>}
              smallNote={`Last used: ${used(key)}`}
            />
            <Cell isExtra>{time(key.createdAt)}</Cell>
            <Cell isExtra>{used(key)}</Cell>
            <ActionsCell>
              <IconButton label={`Revoke ${key.name}`} onClick={() => setLeaving(key)}>
                <Trash2 size={16} aria-hidden />
              </IconButton>
            </ActionsCell>
          </tr>
        ))}
      </ListTable>
      {leaving && <RevokeDialog accessKey={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

function RevokeDialog({ accessKey, onClose }: { accessKey: AccessKey; onClose(): void }) {
  const { isBusy, error, run } = useAction();
  const revoke = async (): Promise<void> => {
    await deleteAccessKey(accessKey.id);
    toast(`“${accessKey.name}” is revoked.`);
    onClose();
  };
  return (
    <Confirm
      title={`Revoke “${accessKey.name}”?`}
      action="Revoke key"
      isBusy={isBusy}
      error={error}
      onConfirm={() => void run(revoke)}
      onClose={onClose}
    >
      <p>Programs that use the key that ends in {accessKey.keySuffix} are refused at once.</p>
    </Confirm>
  );
}

function CreateDialog({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('');
  // Shown once: the text goes with this dialog.
  const [text, setText] = useState<string>();
  const { isBusy, error, run } = useAction();
  if (text !== undefined) {
    return (
      <SecretDialog title="Your new access key" label="Access key" text={text} onClose={onClose}>
        <p>
          Programs send it as <code>Authorization: Bearer …</code>
        </p>
      </SecretDialog>
    );
  }
  const nameError = error?.issueAt('name');
  return (
    <Dialog
      title="New access key"
      open
      onOpenChange={onClose}
      onSubmit={() => void run(async () => setText((await createAccessKey(name.trim())).key))}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={isBusy || name.trim() === ''}>
            Create key
          </Button>
        </>
      }
    >
      <Field
        label="Name"
        hint="Name the program that will use it, such as “deploy script”."
        autoFocus
        autoComplete="off"
        maxLength={255}
        value={name}
        error={nameError}
        onChange={(event) => setName(event.target.value)}
      />
      {nameError === undefined && <ErrorText error={error} />}
    </Dialog>
  );
}
