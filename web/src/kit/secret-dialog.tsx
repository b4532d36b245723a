import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';
import { SecretText } from './secret-text.tsx';

interface SecretDialogProps {
  title: string;
  /** What the text is, such as "Access key". */
  label: string;
  /** Held by the caller in memory only: it goes when the dialog is closed. */
  text: string;
  /** How to use it. */
  children: ReactNode;
  onClose(): void;
}

/** Shows a new secret for the only time. Only its button closes it. */
export function SecretDialog({ title, label, text, children, onClose }: SecretDialogProps) {
  return (
    <Dialog
      title={title}
      open
      mustAnswer
      onOpenChange={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <Notice look="warning">Copy the {label.toLowerCase()} now. Nobody can show it again.</Notice>
      <SecretText label={label} text={text} />
      {children}
    </Dialog>
  );
}
