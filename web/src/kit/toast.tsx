import { X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { IconButton } from './button.tsx';
import styles from './toast.module.css';

interface Message {
  id: number;
  text: string;
  isError: boolean;
}

let messages: readonly Message[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function change(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) {
    listener();
  }
}

/** Says a sentence at the lower edge for some seconds. An error stays until it is closed. */
export function toast(text: string, kind: 'note' | 'error' = 'note'): void {
  const message = { id: nextId++, text, isError: kind === 'error' };
  change([...messages.filter((one) => one.text !== text), message].slice(-3));
}

const close = (id: number): void => change(messages.filter((one) => one.id !== id));

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => messages,
  );
  return (
    <div className={styles.region} role="status" aria-live="polite">
      {shown.map((message) => (
        <Toast key={message.id} message={message} />
      ))}
    </div>
  );
}

function Toast({ message: { id, text, isError } }: { message: Message }) {
  useEffect(() => {
    const timer = isError ? undefined : setTimeout(() => close(id), 5000);
    return () => clearTimeout(timer);
  }, [id, isError]);
  return (
    <div className={styles.toast} data-error={isError || undefined}>
      <span>{text}</span>
      <IconButton label="Close" size="small" onClick={() => close(id)}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
