import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createDashboard } from '../../api/queries/dashboards.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { ErrorText } from '../../kit/state.tsx';
import { splitList } from '../../view/split-list.ts';

/** Asks for the name and tags of a new dashboard, then opens it for editing. */
export function CreateDialog({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [tags, setTags] = useState('');
  const { isBusy, error, run } = useAction();
  const create = async (): Promise<void> => {
    const { id } = await createDashboard({
      name: name.trim(),
      tags: splitList(tags),
      tiles: [],
      filters: [],
    });
    await navigate({ to: '/dashboards/$id', params: { id }, search: { edit: true } });
  };
  const nameError = error?.issueAt('name');
  const tagsError = error?.issues.find(({ path }) => path.startsWith('tags'))?.message;
  return (
    <Dialog
      title="New dashboard"
      open
      onOpenChange={onClose}
      onSubmit={() => void run(create)}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={isBusy || name.trim() === ''}>
            Create dashboard
          </Button>
        </>
      }
    >
      <Field
        label="Name"
        autoFocus
        autoComplete="off"
        maxLength={1024}
        value={name}
        error={nameError}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label="Tags"
        hint="Separate tags with commas. The list can show one tag alone."
        autoComplete="off"
        value={tags}
        error={tagsError}
        onChange={(event) => setTags(event.target.value)}
      />
      {nameError === undefined && tagsError === undefined && <ErrorText error={error} />}
    </Dialog>
  );
}
