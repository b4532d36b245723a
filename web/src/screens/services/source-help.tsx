import { Link } from '@tanstack/react-router';
import type { SpanSource } from './model/figures.ts';
import styles from './services.module.css';

/** Services need columns that a source may not have set. */
export function SourceHelp({ source }: { source: SpanSource }) {
  return (
    <>
      <p className={styles.note}>
        Services need the service, span kind, status and duration of spans.
      </p>
      <p>
        <Link to="/settings/sources" search={{ id: source.id }}>
          Look at the source {source.name}
        </Link>
      </p>
    </>
  );
}
