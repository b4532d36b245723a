import { useState } from 'react';
import { createKey, type CreatedKey } from '../../../api/queries/organization.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { useLeaveQuestion } from '../../../kit/leave-dialog.tsx';
import { SecretDialog } from '../../../kit/secret-dialog.tsx';
import { SecretText } from '../../../kit/secret-text.tsx';
import { bodyOf, newDraft } from './key-draft.ts';
import { KeyFields } from './key-fields.tsx';
import { useKeyForm } from './use-key-form.ts';
import styles from '../organization.module.css';

/** Creates a key and shows its id and secret for the only time. */
export function CreateDialog({ onClose }: { onClose(): void }) {
  const model = useKeyForm(newDraft);
  // Shown once: it goes with this dialog.
  const [made, setMade] = useState<CreatedKey>();
  const { close, question } = useLeaveQuestion(model.isChanged && !made, onClose);
  if (made) {
    return (
      <SecretDialog
        title={`Your new key “${made.key.name}”`}
        label="Key secret"
        text={made.keySecret ?? ''}
        onClose={onClose}
      >
        <p className={styles.label}>Key id</p>
        <SecretText label="Key id" text={made.keyId ?? ''} />
        <p>
          Programs send both by HTTP Basic authentication: the key id as user name and the key
          secret as password.
        </p>
      </SecretDialog>
    );
  }
  return (
    <>
      <Dialog
        title="New API key"
        open
        onOpenChange={close}
        onSubmit={() =>
          model.submit(async () =>
            setMade(await createKey({ ...bodyOf(model.draft), state: 'enabled' })),
          )
        }
        actions={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="primary" type="submit" disabled={!model.isReady || model.isSaving}>
              Create key
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
