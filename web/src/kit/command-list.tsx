import { Check } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Kbd } from './text.tsx';
import { keyLabel } from '../view/keys.ts';
import float from './float.module.css';
import styles from './command-list.module.css';

export interface Command {
  id: string;
  label: string;
  /** More words to find it by. */
  words?: string;
  group?: string;
  hint?: string | undefined;
  shortcut?: string;
  icon?: ReactNode;
  isCurrent?: boolean;
  run(): void;
}

interface CommandListProps {
  label: string;
  commands: readonly Command[];
  placeholder: string;
  /** What to say if nothing is found; a function gets the text. */
  empty?: ReactNode;
  className?: string | undefined;
  /** Begins at the present choice instead of the first command. */
  startAtCurrent?: boolean;
  /** Tells the text, for lists that are filled elsewhere. */
  onText?: (text: string) => void;
}

/** An input over a list: type to find, arrows to move, Enter to run. */
export function CommandList({ label, commands, placeholder, ...props }: CommandListProps) {
  const id = useId();
  const [text, setText] = useState('');
  const found = matching(commands, text);
  const [active, setActive] = useState(() =>
    props.startAtCurrent
      ? Math.max(
          0,
          commands.findIndex((command) => command.isCurrent),
        )
      : 0,
  );
  const index = Math.min(active, found.length - 1);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current
      ?.querySelector('[data-active]')
      ?.scrollIntoView({ block: index === 0 ? 'center' : 'nearest' });
  }, [index]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const moves: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 10,
      PageUp: -10,
    };
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      setActive(Math.min(Math.max(index + move, 0), found.length - 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      found[index]?.run();
    }
  };

  return (
    <div className={classNames(styles.commands, props.className)}>
      <input
        // The list was opened to be used.
        autoFocus
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={found[index] ? `${id}-${index}` : undefined}
        className={styles.input}
        placeholder={placeholder}
        value={text}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
          props.onText?.(event.target.value);
        }}
      />
      <ul ref={list} id={id} role="listbox" aria-label={label} className={styles.list}>
        {found.map((command, at) => (
          <CommandItem
            key={command.id}
            command={command}
            id={`${id}-${at}`}
            isActive={at === index}
            groupAbove={at === 0 ? undefined : found[at - 1]?.group}
            onHover={() => setActive(at)}
          />
        ))}
      </ul>
      {found.length === 0 && (
        <p className={styles.empty}>{props.empty ?? `Nothing matches “${text}”.`}</p>
      )}
    </div>
  );
}

interface ItemProps {
  command: Command;
  id: string;
  isActive: boolean;
  groupAbove: string | undefined;
  onHover(): void;
}

function CommandItem({ command, id, isActive, groupAbove, onHover }: ItemProps) {
  const { group, icon, label, hint, shortcut, isCurrent } = command;
  return (
    <>
      {group !== undefined && group !== groupAbove && (
        <li role="presentation" className={float.label}>
          {group}
        </li>
      )}
      <li
        id={id}
        role="option"
        aria-selected={isActive}
        className={float.item}
        data-active={isActive || undefined}
        onPointerMove={onHover}
        onClick={() => command.run()}
      >
        {icon}
        <span className={styles.label}>{label}</span>
        {hint !== undefined && <span className={float.hint}>{hint}</span>}
        {isCurrent && <Check size={14} aria-label="current" className={styles.check} />}
        {shortcut !== undefined && <Kbd>{keyLabel(shortcut)}</Kbd>}
      </li>
    </>
  );
}

/** Commands with every word of the text; those that begin with it first within their group. */
function matching(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    return commands;
  }
  return commands.filter(({ label, words: more = '', group = '' }) => {
    const all = `${label} ${more} ${group}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
