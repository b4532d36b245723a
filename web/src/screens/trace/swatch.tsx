import type { Service } from './model/services.ts';
import styles from './trace.module.css';

/** The colour of a service, beside its name. */
export function Swatch({ service }: { service: Service | undefined }) {
  return (
    <span
      className={styles.swatch}
      data-dashed={service?.isDashed || undefined}
      style={{ color: service?.color }}
      aria-hidden
    />
  );
}
