import { memo } from 'react';
import { formatCount, plural } from '../../view/number-format.ts';
import { serviceName, type Service } from './model/services.ts';
import { Swatch } from './swatch.tsx';
import styles from './trace.module.css';

/** Colours of the services, and how many spans each has. */
export const ServiceList = memo(function ServiceList({
  services,
}: {
  services: ReadonlyMap<string, Service>;
}) {
  return (
    <div className={styles.legend}>
      <ul className={styles.services} aria-label="Services" tabIndex={0}>
        {[...services.values()].map((service) => (
          <li key={service.name}>
            <Swatch service={service} />
            {serviceName(service.name)}
            <span className={styles.count}>
              {formatCount(service.spanCount)}
              {service.errorCount > 0 && (
                <span className={styles.errorText}>, {plural(service.errorCount, 'error')}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <span className={styles.pathLegend}>
        <span className={styles.pathSign} aria-hidden />
        critical path
      </span>
    </div>
  );
});
