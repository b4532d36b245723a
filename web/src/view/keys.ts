import { useLayoutEffect, useRef } from 'react';
import { readPref } from './prefs.ts';

/** A shortcut: `mod+k`, `shift+f`, `g s` (one after the other), `?`, `Escape`. */
export type KeyMap = Record<string, (event: KeyboardEvent) => void>;

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The key as the person's keyboard names it: `⌘K` or `Ctrl K`. */
export function keyLabel(key: string): string {
  return (key === ' ' ? [key] : key.split(' '))
    .map((stroke) =>
      // The key plus itself is no combination.
      (stroke === '+' ? [stroke] : stroke.split('+'))
        .map((part) => labels[part] ?? (part.length === 1 ? part.toUpperCase() : part))
        .join(isMac ? '' : ' '),
    )
    .join(' then ');
}

const labels: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  shift: isMac ? '⇧' : 'Shift',
  alt: isMac ? '⌥' : 'Alt',
  Escape: 'Esc',
  ' ': 'Space',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
};

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'));

/** Links and buttons have a use of their own for Enter. */
const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a, button, summary, [role="tab"]') !== null;

const strokeOf = (event: KeyboardEvent): string => {
  const parts: string[] = [];
  if (event.metaKey || event.ctrlKey) {
    parts.push('mod');
  }
  if (event.altKey) {
    parts.push('alt');
  }
  if (event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key))) {
    parts.push('shift');
  }
  parts.push(event.key.length === 1 ? event.key.toLowerCase() : event.key);
  return parts.join('+');
};

const sequenceMs = 1200;

interface FirstKey {
  stroke: string;
  atMs: number;
}

/** The first key of a sequence, if it is the present stroke, and if it was the one before. */
let present: FirstKey | undefined;
let before: FirstKey | undefined;

/**
 * Shortcuts while the component is shown. Single letters are off in fields, in dialogs that opened
 * later, and if the person turned them off; `mod` combinations always work.
 */
export function useKeys(keys: KeyMap, isOn = true): void {
  const latest = useRef(keys);
  latest.current = keys;
  // Before the browser paints: a key that is pressed as soon as the screen shows is not lost.
  useLayoutEffect(() => {
    if (!isOn) {
      return undefined;
    }
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) {
        return;
      }
      const stroke = strokeOf(event);
      const isCombination = stroke.startsWith('mod+');
      const isOff = event.key.length === 1 && !readPref('letterKeys');
      const isBlocked = isField(event.target) || isModalOpen() || isOff;
      const isOfControl = stroke === 'Enter' && isControl(event.target);
      if (isOfControl || (!isCombination && isBlocked)) {
        return;
      }
      const isSequence = before && event.timeStamp - before.atMs < sequenceMs;
      const run = latest.current[isSequence ? `${before?.stroke} ${stroke}` : stroke];
      if (run) {
        event.preventDefault();
        run(event);
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOn]);
}

/** Remembers the first key of a sequence until the next stroke. Called once, by the shell. */
export function followSequences(): void {
  const follow = (event: KeyboardEvent): void => {
    const stroke = strokeOf(event);
    const isFirst = stroke === 'g' && !isField(event.target);
    before = present;
    present = isFirst ? { stroke, atMs: event.timeStamp } : undefined;
  };
  // Before every listener of this stroke.
  window.addEventListener('keydown', follow, { capture: true });
}

export const isModalOpen = (): boolean =>
  document.querySelector('[role="dialog"][data-modal]') !== null;
