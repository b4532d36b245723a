import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { classNames } from './class-names.ts';
import field from './field.module.css';
import float from './float.module.css';
import styles from './suggest-field.module.css';

export interface Suggestion {
  value: string;
  /** What it is, such as a type. */
  hint?: string | undefined;
}

interface SuggestFieldProps {
  label: string;
  /** What to enter, in a sentence. */
  hint?: string | undefined;
  error?: string | undefined;
  value: string;
  placeholder?: string | undefined;
  suggestions: readonly Suggestion[];
  /** The text is an expression: a suggestion replaces the name at the caret, not the whole text. */
  isExpression?: boolean;
  onChange(value: string): void;
}

const shownMax = 50;

/** A text with values to choose from. Any other text is allowed, too. */
export function SuggestField(props: SuggestFieldProps) {
  const { label, hint, error, value, suggestions, isExpression = false, onChange } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const word = wordAt(value, isExpression, input.current?.selectionStart);
  const found = isOpen ? matching(suggestions, word.text) : [];
  const note = error ?? hint;

  const open = (): void => {
    setOpen(true);
    setActive(-1);
  };
  const close = (): void => setOpen(false);
  const choose = ({ value: name }: Suggestion): void => {
    const text = isExpression ? nameInExpression(name) : name;
    onChange(value.slice(0, word.start) + text + value.slice(word.end));
    close();
    input.current?.focus();
  };
  const move = (to: number): void => {
    setActive(to);
    list.current?.children[to]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (isOpen) {
        move(Math.min(Math.max(active + step, -1), found.length - 1));
      } else {
        open();
      }
    } else if (event.key === 'Enter' && isOpen && found[active]) {
      event.preventDefault();
      choose(found[active]);
    } else if (event.key === 'Escape' && found.length > 0) {
      // The list goes first, then what is around the field.
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  return (
    <div className={field.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.host}>
        <input
          ref={input}
          id={id}
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={found[active] ? `${id}-${active}` : undefined}
          aria-invalid={error !== undefined}
          aria-describedby={note === undefined ? undefined : `${id}-note`}
          autoComplete="off"
          spellCheck={false}
          className={classNames(field.input, isExpression && styles.expression)}
          placeholder={props.placeholder}
          value={value}
          onChange={(event) => {
            open();
            onChange(event.target.value);
          }}
          onClick={open}
          onBlur={close}
          onKeyDown={onKeyDown}
        />
        {found.length > 0 && (
          <ul
            ref={list}
            id={`${id}-list`}
            role="listbox"
            aria-label={label}
            className={styles.list}
            // The input keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
          >
            {found.map((one, index) => (
              <li
                key={one.value}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === active}
                data-active={index === active || undefined}
                className={float.item}
                onPointerMove={() => setActive(index)}
                onClick={() => choose(one)}
              >
                <span className={styles.name}>{one.value}</span>
                {one.hint !== undefined && <span className={float.hint}>{one.hint}</span>}
              </li>
            ))}
          </ul>
        )}
      </div>
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={error === undefined ? field.hint : field.error}
          role={error === undefined ? undefined : 'alert'}
        >
          {note}
        </p>
      )}
    </div>
  );
}

interface Word {
  text: string;
  start: number;
  end: number;
}

/** The name at the caret, or the whole text. */
function wordAt(value: string, isExpression: boolean, caret: number | null | undefined): Word {
  if (!isExpression) {
    return { text: value, start: 0, end: value.length };
  }
  const at = caret ?? value.length;
  const start = at - (/[\p{L}\p{N}_.]*$/u.exec(value.slice(0, at))?.[0].length ?? 0);
  const end = at + (/^[\p{L}\p{N}_.]*/u.exec(value.slice(at))?.[0].length ?? 0);
  return { text: value.slice(start, end), start, end };
}

/** Those that begin with the text first. If the text is a suggestion already, all of them. */
function matching(suggestions: readonly Suggestion[], text: string): Suggestion[] {
  const wanted = text.toLowerCase();
  const isWhole = suggestions.some(({ value }) => value === text);
  const placed = suggestions.map((one) => ({ one, at: one.value.toLowerCase().indexOf(wanted) }));
  const found = placed.filter(({ at }) => isWhole || at >= 0);
  return found
    .toSorted((left, right) => Number(left.at !== 0) - Number(right.at !== 0))
    .slice(0, shownMax)
    .map(({ one }) => one);
}

/** A name with other characters than letters, digits, `_` and `.` stands in backquotes. */
const nameInExpression = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name)
    ? name
    : `\`${name.replaceAll(/[\\`]/g, (char) => `\\${char}`)}\``;
