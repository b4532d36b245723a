import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement } from 'react';
import { keyLabel } from '../view/keys.ts';
import { Kbd } from './text.tsx';
import styles from './float.module.css';

interface TooltipProps {
  text: string;
  shortcut?: string | undefined;
  side?: 'top' | 'right' | 'bottom' | 'left';
  children: ReactElement;
}

/** A short name on hover and focus. What it says must be in the accessible name, too. */
export function Tooltip({ text, shortcut, side = 'bottom', children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.tooltip} side={side} sideOffset={6} collisionPadding={8}>
          {text}
          {shortcut !== undefined && <Kbd>{keyLabel(shortcut)}</Kbd>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export const TooltipProvider = Radix.Provider;
