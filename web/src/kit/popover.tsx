import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
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
  children: ReactNode;
}

/** A panel at a button. Escape and a click outside close it, and the focus returns. */
export function Popover({ trigger, label, open, onOpenChange, ...props }: PopoverProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={styles.popover}
          aria-label={label}
          align={props.align ?? 'start'}
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={props.keepFocus ? (event) => event.preventDefault() : undefined}
        >
          {props.children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
