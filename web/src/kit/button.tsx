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

interface LinkButtonProps extends ComponentProps<'a'> {
  look?: 'outlined' | 'primary';
}

/** A link to another page that looks like a button. */
export function LinkButton({ className, look = 'outlined', ...props }: LinkButtonProps) {
  return (
    <a {...props} className={classNames(styles.button, styles.link, styles[look], className)} />
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  /** What it does: the accessible name and the tooltip. */
  label: string;
  /** A shortcut of `useKeys`, shown in the tooltip. */
  shortcut?: string;
  /** Where the tooltip is: beside a column of buttons it must not cover the next one. */
  tooltipSide?: 'bottom' | 'right';
  children: ReactNode;
}

/** A square button with an icon, a name and a tooltip. */
export function IconButton({ label, shortcut, look = 'plain', ...props }: IconButtonProps) {
  const { children, className, tooltipSide = 'bottom', ...rest } = props;
  return (
    <Tooltip text={label} shortcut={shortcut} side={tooltipSide}>
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
