import { useState } from 'react';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { useLeaveQuestion } from '../../kit/leave-dialog.tsx';
import { ErrorText } from '../../kit/state.tsx';

interface NameDialogProps {
  title: string;
  hint: string;
  action: string;
  name: string;
  /** Saves the name. The dialog closes afterwards. */
  onSave(name: string): Promise<void>;
  onClose(): void;
}

/** Asks for a name. */
export function NameDialog({ title, hint, action, name, onSave, onClose }: NameDialogProps) {
  const [first] = useState(name);
  const [typed, setTyped] = useState(name);
  const { isBusy, error, run } = useAction();
  const { close, question } = useLeaveQuestion(typed !== first, onClose);
  const next = typed.trim();
  const nameError = error?.issueAt('name');
  return (
    <>
      <Dialog
        title={title}
        open
        onOpenChange={close}
        onSubmit={() => void run(() => onSave(next))}
        actions={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="primary" type="submit" disabled={isBusy || next === '' || next === first}>
              {action}
            </Button>
          </>
        }
      >
        <Field
          label="Name"
          hint={hint}
          autoFocus
          autoComplete="off"
          maxLength={255}
          value={typed}
          error={nameError}
          onChange={({ target }) => setTyped(target.value)}
        />
        {nameError === undefined && <ErrorText error={error} />}
      </Dialog>
      {question}
    </>
  );
}
