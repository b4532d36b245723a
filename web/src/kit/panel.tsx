import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { useMedia } from '../view/use-media.ts';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './panel.module.css';

interface PanelProps {
  label: string;
  /** What the panel shows one of, such as "row". */
  what: string;
  /** Where it is in the list, such as `12 of 200`. */
  position: ReactNode;
  /** Stands in the list, below its row, instead of beside it. */
  isInline?: boolean;
  /** More buttons at the head. */
  tools?: ReactNode;
  onStep(by: 1 | -1): void;
  onClose(): void;
  children: ReactNode;
}

/** Everything of one item of a list: beside the list, over it on smaller screens, or within it. */
export function Panel(props: PanelProps) {
  const { label, what, position, isInline = false, onStep, onClose } = props;
  const host = useRef<HTMLElement>(null);
  const isBeside = useMedia('(min-width: 1200px)');
  useFocusBack(host, isBeside || isInline);
  return (
    <section
      ref={host}
      className={classNames(styles.panel, isInline && styles.inline)}
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) {
          event.preventDefault();
          onClose();
        }
      }}
    >
      <div className={styles.panelHead}>
        <IconButton label={`Previous ${what}`} shortcut="k" size="small" onClick={() => onStep(-1)}>
          <ChevronUp size={16} aria-hidden />
        </IconButton>
        <IconButton label={`Next ${what}`} shortcut="j" size="small" onClick={() => onStep(1)}>
          <ChevronDown size={16} aria-hidden />
        </IconButton>
        <span className={styles.position}>{position}</span>
        {props.tools}
        <IconButton label="Close" shortcut="Escape" size="small" onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      </div>
      {props.children}
    </section>
  );
}

/** A panel over the list takes the focus. Every panel gives it back. */
function useFocusBack(host: RefObject<HTMLElement | null>, staysBehind: boolean): void {
  useEffect(() => {
    const before = document.activeElement;
    if (!staysBehind) {
      host.current?.querySelector('button')?.focus();
    }
    return () => {
      if (before instanceof HTMLElement && before !== document.body && before.isConnected) {
        before.focus({ preventScroll: true });
      }
    };
  }, [host, staysBehind]);
}
