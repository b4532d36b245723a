import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { readAlert, updateAlert, type VersionedAlert } from '../../api/queries/alerts.ts';
import { useAction } from '../../api/use-action.ts';
import { nameOf } from '../../alerting/states.ts';
import { tagsOf } from '../../alerting/tags.ts';
import { Button } from '../../kit/button.tsx';
import { Conflict } from '../../kit/conflict.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { ErrorText } from '../../kit/state.tsx';
import { toast } from '../../kit/toast.tsx';

interface TagsDialogProps {
  stored: VersionedAlert;
  onClose(): void;
}

/** Changes the tags of the version that was on the page when the dialog opened. */
export function TagsDialog({ stored, onClose }: TagsDialogProps) {
  const [opened] = useState(stored);
  const [theirs, setTheirs] = useState<VersionedAlert>();
  const [text, setText] = useState((stored.item.tags ?? []).join(', '));
  const { isBusy, error, run } = useAction();
  const { id } = opened.item;
  const save = (version: string): Promise<void> =>
    run(async () => {
      try {
        await updateAlert(id, version, { tags: tagsOf(text) });
      } catch (failure) {
        if (!(failure instanceof ApiError && failure.status === 412)) {
          throw failure;
        }
        setTheirs(await readAlert(id));
        return;
      }
      toast(`The tags of “${nameOf(opened.item)}” are saved.`);
      onClose();
    });
  if (theirs) {
    const [before, after] = [(theirs.item.tags ?? []).join(', '), tagsOf(text).join(', ')];
    return (
      <Conflict
        name={nameOf(theirs.item)}
        differences={before === after ? [] : [{ name: 'Tags', theirs: before, mine: after }]}
        isSaving={isBusy}
        error={error?.message}
        onMine={() => void save(theirs.version)}
        onTheirs={onClose}
        onClose={onClose}
      />
    );
  }
  const problem = error?.issues.find(({ path }) => path.startsWith('tags'))?.message;
  return (
    <Dialog
      title={`Tags of “${nameOf(opened.item)}”`}
      open
      onOpenChange={onClose}
      onSubmit={() => void save(opened.version)}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={isBusy}>
            Save tags
          </Button>
        </>
      }
    >
      <Field
        label="Tags"
        hint="Separate tags with commas. Lists can show one tag alone, and maintenance windows can cover it."
        autoFocus
        autoComplete="off"
        value={text}
        error={problem}
        onChange={(event) => setText(event.target.value)}
      />
      {problem === undefined && <ErrorText error={error} />}
    </Dialog>
  );
}
