import { CircleAlert } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { toast } from './toast.tsx';
import { Button } from './button.tsx';
import styles from './state.module.css';

interface EmptyProps {
  title: string;
  /** What made it so. */
  children?: ReactNode;
  /** The next step. */
  actions?: ReactNode;
}

/** A region without data: what made it so, and the next step. */
export function Empty({ title, children, actions }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

interface FailureProps {
  /** What failed, such as "The search failed". */
  title: string;
  error: Error;
  onRetry?: () => void;
}

/** A region that failed; the rest of the screen stays. */
export function Failure({ title, error, onRetry }: FailureProps) {
  return (
    <div className={styles.failure} role="alert">
      <p className={styles.title}>
        <CircleAlert size={16} aria-hidden />
        {title}
      </p>
      <p className={styles.message}>{error.message}</p>
      <div className={styles.actions}>
        {onRetry && (
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        )}
        <CopyRequestId error={error} />
      </div>
    </div>
  );
}

/** For a report of an error that the server answered. */
function CopyRequestId({ error }: { error: Error }) {
  const requestId = 'requestId' in error ? error.requestId : undefined;
  return typeof requestId === 'string' ? (
    <Button size="small" look="plain" onClick={() => void copy(requestId, 'Request id')}>
      Copy request id
    </Button>
  ) : null;
}

/** What went wrong with a form or a dialog, below its fields. */
export function ErrorText({ error }: { error: Error | undefined }) {
  return error ? (
    <div className={styles.errorText} role="alert">
      <p>{error.message}</p>
      <CopyRequestId error={error} />
    </div>
  ) : null;
}

/** Copies text and says so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`);
  } catch {
    toast('The browser does not allow this page to copy.', 'error');
  }
}

/** True once `isOn` has lasted for the time: for signs of loading that must not flash. */
export function useLasting(isOn: boolean, ms: number): boolean {
  const [isLasting, setLasting] = useState(false);
  useEffect(() => {
    if (!isOn) {
      setLasting(false);
      return undefined;
    }
    const timer = setTimeout(() => setLasting(true), ms);
    return () => clearTimeout(timer);
  }, [isOn, ms]);
  return isOn && isLasting;
}

interface WaitingProps {
  isOn: boolean;
  /** What goes on, such as "Searching". */
  what: string;
  onCancel(): void;
}

/** How long something takes already, and a way to stop it. Nothing in the first second. */
export function Waiting({ isOn, what, onCancel }: WaitingProps) {
  const isShown = useLasting(isOn, 1000);
  return isShown ? <Elapsed what={what} onCancel={onCancel} /> : null;
}

/** A sentence in a line above a region, with what can be done. */
export function Notice({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <div className={styles.notice}>
      <span role="status">{children}</span>
      {action}
    </div>
  );
}

/** Seconds since something began that lasted for one second when it was first shown. */
export function useSeconds(): number {
  const [seconds, setSeconds] = useState(1);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}

function Elapsed({ what, onCancel }: Omit<WaitingProps, 'isOn'>) {
  const seconds = useSeconds();
  const action = (
    <Button size="small" look="plain" onClick={onCancel}>
      Cancel
    </Button>
  );
  return (
    <Notice action={action}>
      {what} for {seconds} s
    </Notice>
  );
}

/** A thin bar at the upper edge of a region that loads again. */
export function LoadBar({ isOn }: { isOn: boolean }) {
  const isShown = useLasting(isOn, 150);
  return isShown ? <div className={styles.bar} role="progressbar" aria-label="Loading" /> : null;
}

/** Lines of the final height while the first data loads; nothing for the first 150 ms. */
export function Skeleton({ lines, height = 24 }: { lines: number; height?: number }) {
  const isShown = useLasting(true, 150);
  if (!isShown) {
    return null;
  }
  return (
    <div aria-busy className={styles.skeleton}>
      {Array.from({ length: lines }, (_, index) => (
        <div
          key={index}
          className={styles.bone}
          style={{ height, width: `${90 - ((index * 37) % 50)}%` }}
        />
      ))}
    </div>
  );
}
