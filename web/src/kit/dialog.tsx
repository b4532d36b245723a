import { Dialog as Radix } from 'radix-ui';
import { X } from 'lucide-react';
import type { FormEventHandler, ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Hidden } from './text.tsx';
import styles from './float.module.css';

interface DialogProps {
  title: string;
  description?: string;
  open: boolean;
  onOpenChange(open: boolean): void;
  /** `sheet` comes from below, for small screens; `top` has no visible title. */
  look?: 'normal' | 'wide' | 'top' | 'sheet';
  /** Buttons below the body. */
  actions?: ReactNode;
  /** Makes the dialog a form. */
  onSubmit?: () => void;
  /** A dialog that only its own buttons close. */
  mustAnswer?: boolean;
  children: ReactNode;
}

/** A dialog over the page. Escape closes it, and the focus returns. */
export function Dialog({ open, onOpenChange, look = 'normal', ...props }: DialogProps) {
  const stay = props.mustAnswer ? (event: Event) => event.preventDefault() : undefined;
  const base = look === 'sheet' ? styles.sheet : styles.dialog;
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim} />
        <Radix.Content
          data-modal
          className={classNames(base, look !== 'sheet' && styles[look])}
          onEscapeKeyDown={stay}
          onInteractOutside={stay}
          {...(props.description === undefined && { 'aria-describedby': undefined })}
        >
          <DialogHead {...props} isHidden={look === 'top'} />
          <DialogForm {...props} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface HeadProps extends Pick<DialogProps, 'title' | 'mustAnswer'> {
  isHidden: boolean;
}

function DialogHead({ title, mustAnswer, isHidden }: HeadProps) {
  if (isHidden) {
    return (
      <Radix.Title>
        <Hidden>{title}</Hidden>
      </Radix.Title>
    );
  }
  return (
    <div className={styles.dialogHead}>
      <Radix.Title>{title}</Radix.Title>
      {!mustAnswer && (
        <Radix.Close asChild>
          <IconButton label="Close" size="small">
            <X size={16} aria-hidden />
          </IconButton>
        </Radix.Close>
      )}
    </div>
  );
}

type FormProps = Pick<DialogProps, 'description' | 'actions' | 'onSubmit' | 'children'>;

function DialogForm({ description, actions, onSubmit, children }: FormProps) {
  const content = (
    <>
      <div className={styles.dialogBody}>
        {description !== undefined && (
          <Radix.Description className={styles.description}>{description}</Radix.Description>
        )}
        {children}
      </div>
      {actions !== undefined && <div className={styles.dialogFoot}>{actions}</div>}
    </>
  );
  if (!onSubmit) {
    return content;
  }
  const submit: FormEventHandler = (event) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      {content}
    </form>
  );
}
