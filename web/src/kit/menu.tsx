import { DropdownMenu as Radix } from 'radix-ui';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { keyLabel } from '../view/keys.ts';
import { classNames } from './class-names.ts';
import { stayElsewhere } from './focus-return.ts';
import { Kbd } from './text.tsx';
import styles from './float.module.css';

interface MenuProps {
  trigger: ReactElement;
  align?: 'start' | 'end';
  side?: 'bottom' | 'right' | 'top';
  /** Given if something else than the button opens it, too, such as a shortcut. */
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  children: ReactNode;
}

/** Actions behind a button. */
export function Menu({ trigger, align = 'start', side = 'bottom', ...props }: MenuProps) {
  const { open, onOpenChange, children } = props;
  return (
    <Radix.Root
      {...(open !== undefined && { open })}
      {...(onOpenChange !== undefined && { onOpenChange })}
    >
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={styles.menu}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={stayElsewhere}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  shortcut?: string;
  look?: 'normal' | 'danger';
  disabled?: boolean;
  onSelect(): void;
  children: ReactNode;
}

export function MenuItem({ icon, shortcut, look, children, ...props }: MenuItemProps) {
  return (
    <Radix.Item {...props} className={classNames(styles.item, look === 'danger' && styles.danger)}>
      {icon}
      {children}
      {shortcut !== undefined && <Kbd>{keyLabel(shortcut)}</Kbd>}
    </Radix.Item>
  );
}

interface MenuChoicesProps<T extends string> {
  label: string;
  value: T;
  choices: readonly { value: T; label: string; hint?: string }[];
  onChange(value: T): void;
}

/** One of several values, with a mark at the present one. */
export function MenuChoices<T extends string>(props: MenuChoicesProps<T>) {
  const { label, value, choices, onChange } = props;
  return (
    <Radix.RadioGroup value={value} onValueChange={(next) => onChange(next as T)}>
      <Radix.Label className={styles.label}>{label}</Radix.Label>
      {choices.map((choice) => (
        <Radix.RadioItem key={choice.value} value={choice.value} className={styles.item}>
          <span className={styles.mark}>
            {choice.value === value && <Check size={14} aria-hidden />}
          </span>
          {choice.label}
          {choice.hint !== undefined && <span className={styles.hint}>{choice.hint}</span>}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className={styles.label}>{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className={styles.separator} />;
}
