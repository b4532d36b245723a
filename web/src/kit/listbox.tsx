import { ChevronDown } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { CommandList, type Command } from './command-list.tsx';
import { Popover } from './popover.tsx';
import styles from './listbox.module.css';

interface ListboxProps<T extends string> {
  label: string;
  value: T | undefined;
  choices: readonly { value: T; label: string; hint?: string; icon?: ReactNode }[];
  placeholder?: string;
  onChange(value: T): void;
}

/** Chooses one of several values; with many of them, by typing. */
export function Listbox<T extends string>({ label, value, choices, ...props }: ListboxProps<T>) {
  const [open, setOpen] = useState(false);
  const current = choices.find((choice) => choice.value === value);
  const shown = current?.label ?? props.placeholder ?? 'Choose';
  const commands: Command[] = choices.map((choice) => ({
    id: choice.value,
    label: choice.label,
    hint: choice.hint,
    icon: choice.icon,
    isCurrent: choice.value === value,
    run: () => {
      setOpen(false);
      props.onChange(choice.value);
    },
  }));
  return (
    <Popover
      label={label}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button aria-label={`${label}: ${shown}`} className={styles.trigger}>
          {current?.icon}
          <span className={styles.value}>{shown}</span>
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      <CommandList
        label={label}
        commands={commands}
        placeholder="Find"
        className={styles.list}
        startAtCurrent
      />
    </Popover>
  );
}
