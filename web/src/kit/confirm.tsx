import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { ErrorText } from './state.tsx';

interface ConfirmProps {
  title: string;
  /** What happens. */
  children: ReactNode;
  /** The button, such as "Remove member". */
  action: string;
  /** Look of the button. */
  look?: 'danger' | 'primary';
  /** A word to type first, for what hurts others. */
  word?: string;
  isBusy: boolean;
  error: Error | undefined;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before a change that cannot be taken back. */
export function Confirm({ title, children, action, word, ...props }: ConfirmProps) {
  const { look = 'danger', isBusy, error, onConfirm, onClose } = props;
  const [typed, setTyped] = useState('');
  const isAllowed = word === undefined || typed === word;
  return (
    <Dialog
      title={title}
      open
      onOpenChange={onClose}
      onSubmit={() => isAllowed && onConfirm()}
      actions={
        <>
          <Button onClick={onClose} autoFocus={word === undefined}>
            Cancel
          </Button>
          <Button look={look} type="submit" disabled={isBusy || !isAllowed}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {word !== undefined && (
        <Field
          label={`Type “${word}” to confirm`}
          autoFocus
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <ErrorText error={error} />
    </Dialog>
  );
}
