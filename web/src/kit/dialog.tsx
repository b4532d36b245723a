import { Dialog as Radix } from 'radix-ui';
import { X } from 'lucide-react';
import {
  useCallback,
  useState,
  type FormEventHandler,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { keepOpener, openerNow, returnFocus } from './focus-return.ts';
import { Hidden } from './text.tsx';
import styles from './float.module.css';

interface DialogProps {
  title: string;
  description?: string;
  open: boolean;
  onOpenChange(open: boolean): void;
  /** `sheet` comes from below, for small screens; `top` has no visible title; `full` fills. */
  look?: 'normal' | 'wide' | 'top' | 'sheet' | 'full';
  /** Buttons below the body. */
  actions?: ReactNode;
  /** Makes the dialog a form. */
  onSubmit?: () => void;
  /** A dialog that only its own buttons close. */
  mustAnswer?: boolean;
  children: ReactNode;
}

/** A dialog over the page. Escape closes it, and the focus returns. */
export function Dialog({ open, onOpenChange, ...props }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {open && <DialogContent {...props} />}
    </Radix.Root>
  );
}

type ContentProps = Omit<DialogProps, 'open' | 'onOpenChange'>;

function DialogContent({ look = 'normal', ...props }: ContentProps) {
  // Read before a field of the dialog takes the focus.
  const [opener] = useState(openerNow);
  // The same function at every render: another one would take the layer out and put it back.
  const keep = useCallback((dialog: Element | null) => keepOpener(dialog, opener), [opener]);
  const stay = props.mustAnswer ? (event: Event) => event.preventDefault() : undefined;
  const base = look === 'sheet' ? styles.sheet : styles.dialog;
  return (
    <Radix.Portal>
      <Radix.Overlay className={styles.scrim} />
      <Radix.Content
        ref={keep}
        data-modal
        className={classNames(base, look !== 'sheet' && styles[look])}
        onEscapeKeyDown={stay}
        onInteractOutside={stay}
        onOpenAutoFocus={(event) => {
          // Not the close button: its tooltip would take the first Escape.
          event.preventDefault();
          (event.currentTarget as HTMLElement).focus();
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          returnFocus(opener);
        }}
        {...(props.description === undefined && { 'aria-describedby': undefined })}
      >
        <DialogHead {...props} isHidden={look === 'top'} />
        <DialogForm {...props} />
      </Radix.Content>
    </Radix.Portal>
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
  // Enter sends from a field, but not from a text of several lines.
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      const { currentTarget: form } = event;
      // As Enter alone: not while the button is off.
      if (!form.querySelector<HTMLButtonElement>('button[type="submit"]')?.disabled) {
        form.requestSubmit();
      }
    }
  };
  return (
    <form onSubmit={submit} onKeyDown={onKeyDown} noValidate className={styles.form}>
      {content}
    </form>
  );
}
