import { Copy } from 'lucide-react';
import { Button } from './button.tsx';
import { copy } from './state.tsx';
import styles from './secret-text.module.css';

/** A secret that is shown, to copy. The caller holds it in memory only. */
export function SecretText({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles.secret}>
      <code className={styles.text} aria-label={label} role="note">
        {text}
      </code>
      <Button icon={<Copy size={14} aria-hidden />} onClick={() => void copy(text, label)}>
        Copy
      </Button>
    </div>
  );
}
