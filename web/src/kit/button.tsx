import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './button.module.css';
import { Tooltip } from './tooltip.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  /** `primary` once a view at most; `plain` has no border. */
  look?: 'normal' | 'primary' | 'plain' | 'danger';
  size?: 'normal' | 'small';
  icon?: ReactNode;
}

export function Button({ look = 'normal', size = 'normal', icon, ...props }: ButtonProps) {
  const { className, children, ...rest } = props;
  return (
    <button
      type="button"
      {...rest}
      className={classNames(
        styles.button,
        styles[look === 'normal' ? 'outlined' : look],
        styles[size],
        className,
      )}
    >
      {icon}
      {children}
    </button>
  );
}

/** A link to another page that looks like a button. */
export function LinkButton({ className, ...props }: ComponentProps<'a'>) {
  return (
    <a {...props} className={classNames(styles.button, styles.outlined, styles.link, className)} />
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  /** What it does: the accessible name and the tooltip. */
  label: string;
  /** A shortcut of `useKeys`, shown in the tooltip. */
  shortcut?: string;
  children: ReactNode;
}

/** A square button with an icon, a name and a tooltip. */
export function IconButton({ label, shortcut, look = 'plain', ...props }: IconButtonProps) {
  const { children, className, ...rest } = props;
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <Button
        {...rest}
        look={look}
        aria-label={label}
        className={classNames(styles.square, className)}
      >
        {children}
      </Button>
    </Tooltip>
  );
}
