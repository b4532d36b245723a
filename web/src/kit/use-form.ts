import { useCallback, useEffect, useMemo, useState, type FocusEvent, type RefObject } from 'react';

/** A mistake at one place of a form, by dotted path. */
export interface FormIssue {
  path: string;
  message: string;
}

export interface FormState {
  /** The message of a field or of a part of it, once the person has left it or tried to save. */
  issueAt(path: string): string | undefined;
  /** Messages of the server at places that the form does not have. */
  otherIssues: readonly FormIssue[];
  /** Whether nothing is wrong. From now on every message shows. */
  check(): boolean;
  /** Shows messages of the server. Each stays until its field changes. */
  refuse(issues: readonly FormIssue[]): void;
  /** For the form element: a named field that is left shows its message. */
  onBlur(event: FocusEvent): void;
  /** Shows the message of a field that is no input. */
  leave(path: string): void;
}

interface Refusal<T> {
  value: T;
  issues: readonly FormIssue[];
}

/**
 * The mistakes of a form. Its value is a flat object whose keys begin the paths of mistakes.
 *
 * @param checked finds the mistakes; absent while the rules are loaded
 * @param host the element around the fields: a refused form focuses its first invalid one
 * @param found mistakes that the server found meanwhile, in a preview: they take no focus
 */
export function useForm<T extends object>(
  value: T,
  checked: ((value: T) => readonly FormIssue[]) | undefined,
  host: RefObject<HTMLElement | null>,
  found: readonly FormIssue[] = noIssues,
): FormState {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isTried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<Refusal<T>>();
  const [attempts, setAttempts] = useState(0);
  const own = useMemo(() => checked?.(value) ?? [], [checked, value]);
  const isSame = (path: string): boolean =>
    fieldOf(refusal?.value ?? {}, path) === fieldOf(value, path);
  const refused = (refusal?.issues ?? []).filter(({ path }) => isSame(path));

  useEffect(() => {
    if (attempts > 0) {
      host.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }, [attempts, host]);

  const leave = useCallback(
    (path: string) => setLeft((before) => (before.has(path) ? before : new Set(before).add(path))),
    [],
  );
  return {
    issueAt: (path) => {
      const isShown = isTried || left.has(keyOf(path));
      const shown = [...refused, ...found, ...(isShown ? own : [])];
      return shown.find((issue) => issue.path === path || issue.path.startsWith(`${path}.`))
        ?.message;
    },
    otherIssues: refused.filter(({ path }) => !(keyOf(path) in value)),
    check: () => {
      setTried(true);
      setAttempts((count) => count + 1);
      return own.length === 0;
    },
    refuse: (issues) => {
      setRefusal({ value, issues });
      setAttempts((count) => count + 1);
    },
    onBlur: ({ target }) => {
      const name = target.getAttribute('name');
      if (name !== null) {
        leave(name);
      }
    },
    leave,
  };
}

const noIssues: readonly FormIssue[] = [];

const keyOf = (path: string): string => path.split('.', 1)[0] ?? path;

const fieldOf = (value: object, path: string): unknown =>
  (value as Record<string, unknown>)[keyOf(path)];
