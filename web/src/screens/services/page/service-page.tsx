import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sourcesQuery } from '../../../api/queries/sources.ts';
import { compact } from '../../../view/url-state.ts';
import { useRecentPage } from '../../../view/recent.ts';
import { hasFailed, logsSearch, spansSearch } from '../links.ts';
import type { SharedParams } from '../params.ts';
import { Tools } from '../tools.tsx';
import type { ServicesModel } from '../use-services.ts';
import { Errors } from './errors.tsx';
import { Neighbours } from './neighbours.tsx';
import { Operations } from './operations.tsx';
import { ServiceCharts } from './service-charts.tsx';
import styles from '../services.module.css';

interface ServicePageProps {
  model: ServicesModel;
  service: string;
}

/** One service: its course, its operations, its errors and its neighbours. */
export function ServicePage({ model, service }: ServicePageProps) {
  const { source, params } = model;
  const { data: sources = [] } = useQuery(sourcesQuery);
  const logs = logsSearch(sources, service, params);
  useRecentPage(service);
  return (
    <div className={styles.page}>
      <header className={styles.headLine}>
        <div className={styles.headText}>
          <p>
            <Link
              to="/services"
              search={({ source: id, from, to }: SharedParams) => compact({ source: id, from, to })}
            >
              Services
            </Link>
          </p>
          <h1 className={styles.serviceName}>{service}</h1>
          <ul className={styles.links} aria-label="Rows of the service">
            <li>
              <Link to="/search" search={spansSearch(source, service, params)}>
                Spans and traces
              </Link>
            </li>
            <li>
              <Link to="/search" search={spansSearch(source, service, params, [hasFailed(source)])}>
                Spans with errors
              </Link>
            </li>
            {logs && (
              <li>
                <Link to="/search" search={logs}>
                  Logs
                </Link>
              </li>
            )}
          </ul>
        </div>
        <SpanChoice model={model} />
        <Tools model={model} />
      </header>
      <ServiceCharts model={model} service={service} />
      <Operations model={model} service={service} />
      <Errors model={model} service={service} />
      <Neighbours model={model} service={service} />
    </div>
  );
}

/** Whether only requests to the service count, or also the work that it does for them. */
function SpanChoice({ model: { params, show } }: { model: ServicesModel }) {
  const choices = [
    { spans: undefined, label: 'Requests' },
    { spans: 'all', label: 'All spans' },
  ] as const;
  return (
    <div className={styles.views} role="group" aria-label="Spans that count">
      {choices.map(({ spans, label }) => (
        <button
          key={label}
          type="button"
          className={styles.view}
          aria-pressed={params.spans === spans}
          onClick={() => show({ spans })}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
