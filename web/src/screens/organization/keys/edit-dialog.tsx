import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import type { Versioned } from '../../../api/client.ts';
import {
  keyQuery,
  readKey,
  updateKey,
  type OrganizationKey,
} from '../../../api/queries/organization.ts';
import { Button } from '../../../kit/button.tsx';
import { Conflict } from '../../../kit/conflict.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { useLeaveQuestion } from '../../../kit/leave-dialog.tsx';
import { Failure, Skeleton } from '../../../kit/state.tsx';
import { toast } from '../../../kit/toast.tsx';
import { usePref } from '../../../view/use-pref.ts';
import { zoneName } from '../../../view/zone.ts';
import { bodyOf, draftOf } from './key-draft.ts';
import { KeyFields } from './key-fields.tsx';
import { differencesOf, nameOf } from './words.ts';
import { useKeyForm } from './use-key-form.ts';

interface EditDialogProps {
  apiKey: OrganizationKey;
  onClose(): void;
}

/** Changes name, roles, expiry and addresses of a key. */
export function EditDialog({ apiKey, onClose }: EditDialogProps) {
  const { data, error, refetch } = useQuery(keyQuery(apiKey.id));
  if (data) {
    return <LoadedDialog stored={data} onClose={onClose} />;
  }
  return (
    <Dialog title={`Change “${nameOf(apiKey)}”`} open onOpenChange={onClose}>
      {error ? (
        <Failure title="The key cannot be read" error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton lines={5} height={44} />
      )}
    </Dialog>
  );
}

interface LoadedDialogProps {
  stored: Versioned<OrganizationKey>;
  onClose(): void;
}

function LoadedDialog({ stored, onClose }: LoadedDialogProps) {
  const [opened] = useState(stored);
  const [theirs, setTheirs] = useState<Versioned<OrganizationKey>>();
  const [zonePref] = usePref('zone');
  const model = useKeyForm(draftOf(opened.item));
  const { close, question } = useLeaveQuestion(model.isChanged, onClose);
  const save = (basis: Versioned<OrganizationKey>): void =>
    model.submit(async () => {
      try {
        await updateKey(opened.item.id, bodyOf(model.draft), basis.version);
      } catch (failure) {
        if (!(failure instanceof ApiError && failure.status === 412)) {
          throw failure;
        }
        setTheirs(await readKey(opened.item.id));
        return;
      }
      toast(`“${nameOf(model.draft)}” is saved.`);
      onClose();
    });
  if (theirs) {
    return (
      <Conflict
        name={nameOf(theirs.item)}
        differences={differencesOf(theirs.item, model.draft, zoneName(zonePref))}
        isSaving={model.isSaving}
        error={model.error?.message}
        onMine={() => save(theirs)}
        onTheirs={onClose}
        onClose={() => setTheirs(undefined)}
      />
    );
  }
  return (
    <>
      <Dialog
        title={`Change “${nameOf(opened.item)}”`}
        description="Changes take effect at once. The key id and the secret stay the same."
        open
        onOpenChange={close}
        onSubmit={() => save(opened)}
        actions={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button
              look="primary"
              type="submit"
              disabled={!model.isReady || model.isSaving || !model.isChanged}
            >
              Save key
            </Button>
          </>
        }
      >
        <KeyFields model={model} />
      </Dialog>
      {question}
    </>
  );
}
