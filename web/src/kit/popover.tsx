import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { stayElsewhere } from './focus-return.ts';
import styles from './float.module.css';

interface PopoverProps {
  /** The button that opens it. */
  trigger: ReactElement;
  label: string;
  open: boolean;
  onOpenChange(open: boolean): void;
  align?: 'start' | 'center' | 'end';
  /** Keeps the focus where it is when it opens. */
  keepFocus?: boolean;
  /** Takes the focus when it closes. False: the trigger gets it. */
  takeFocus?: () => boolean;
  children: ReactNode;
}

/** A panel at a button. Escape closes it, and the focus returns unless it went elsewhere. */
export function Popover({ trigger, label, open, onOpenChange, ...props }: PopoverProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          data-popover
          className={styles.popover}
          aria-label={label}
          align={props.align ?? 'start'}
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={props.keepFocus ? (event) => event.preventDefault() : undefined}
          onCloseAutoFocus={(event) => {
            if (props.takeFocus?.()) {
              event.preventDefault();
            } else {
              stayElsewhere(event);
            }
          }}
        >
          {props.children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
