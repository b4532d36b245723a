import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { totalsQuery } from '../../../api/queries/services.ts';
import { Button } from '../../../kit/button.tsx';
import { BareInput } from '../../../kit/field.tsx';
import { Empty } from '../../../kit/state.tsx';
import { useKeys } from '../../../view/keys.ts';
import { plural } from '../../../view/number-format.ts';
import { useTitle } from '../../../view/use-title.ts';
import {
  columnsOf,
  countsRequest,
  figuresOf,
  secondsOf,
  totalsRequest,
  type Figures,
  type Scope,
} from '../model/figures.ts';
import { ordered } from '../model/order.ts';
import { Region } from '../region.tsx';
import { SourceHelp } from '../source-help.tsx';
import { Tools } from '../tools.tsx';
import type { ServicesModel } from '../use-services.ts';
import { ViewTabs } from '../view-tabs.tsx';
import { FiguresTable } from './figures-table.tsx';
import { ServiceLink } from './service-link.tsx';
import { ServiceMenu } from './service-menu.tsx';
import { useLines } from './use-lines.ts';
import styles from '../services.module.css';

const servicesMax = 1000;
/** Rows that are shown at once; each has a line over time. */
const pageSize = 50;

/** All services with their requests, errors and durations, worst first. */
export function ServiceList({ model }: { model: ServicesModel }) {
  const { source, span, runId, zone } = model;
  useTitle('Services');
  const { service, nanos } = columnsOf(source);
  const scope: Scope = { source, span, spans: 'requests', filters: [] };
  const request = totalsQuery({
    // Services without requests are found by their other spans.
    body: [
      totalsRequest(scope, [service], servicesMax),
      countsRequest({ ...scope, spans: 'all' }, [service], servicesMax),
    ],
    runId,
  });
  const query = useQuery(request);
  return (
    <div className={styles.page}>
      <header className={styles.headLine}>
        <h1>Services</h1>
        <ViewTabs />
        <Tools model={model} />
      </header>
      <Region
        query={query}
        queryKey={request.queryKey}
        failed="The services cannot be listed"
        reading="Reading services"
        zone={zone}
        lines={8}
        help={<SourceHelp source={source} />}
      >
        {({ totals: [figures, all], ...answer }) => (
          <FoundServices
            model={model}
            seconds={secondsOf(answer.span, answer.atMs)}
            list={union(
              figures ? figuresOf(figures, nanos) : [],
              (all?.rows ?? []).map(({ group }) => group?.[0] ?? ''),
            )}
            isCut={(all?.groups ?? 0) > servicesMax}
          />
        )}
      </Region>
    </div>
  );
}

/** The figures, and services that have none. */
function union(figures: readonly Figures[], names: readonly string[]): Figures[] {
  const known = new Set(figures.map(({ name }) => name));
  const idle = names.filter((name) => !known.has(name));
  const none = { calls: 0, errors: 0, p50: undefined, p95: undefined, p99: undefined };
  return [...figures, ...idle.map((name) => ({ name, ...none }))];
}

interface FoundProps {
  model: ServicesModel;
  seconds: number;
  list: readonly Figures[];
  isCut: boolean;
}

function FoundServices({ model, seconds, list, isCut }: FoundProps) {
  const { params, show, span, zoomOut } = model;
  const { find = '', sort, up = false } = params;
  const [limit, setLimit] = useState(pageSize);
  useKeys({ '/': () => document.querySelector<HTMLElement>('[data-find]')?.focus() });
  const wanted = find.toLowerCase();
  const found = list.filter(({ name }) => name.toLowerCase().includes(wanted));
  const rows = ordered(found, { column: sort, isUp: up }).slice(0, limit);
  const { service } = columnsOf(model.source);
  const lines = useLines(
    { source: model.source, span, spans: 'requests', filters: [] },
    service,
    rows.map(({ name }) => name),
    model.runId,
  );
  if (list.length === 0) {
    return (
      <Empty
        title="No span in this range"
        actions={
          <>
            <Button size="small" onClick={zoomOut}>
              Widen the range
            </Button>
            <Link to="/welcome">How to send spans</Link>
          </>
        }
      >
        Services are made from the spans of {model.source.name}.
      </Empty>
    );
  }
  return (
    <>
      <div className={styles.finder}>
        <BareInput
          data-find
          label="Find a service"
          type="search"
          maxLength={256}
          placeholder="Find a service"
          aria-keyshortcuts="/"
          className={styles.find}
          value={find}
          onChange={(event) => show({ find: event.target.value || undefined })}
        />
        <p className={styles.note} role="status">
          {plural(found.length, 'service')}
          {isCut && `, the ${servicesMax} with the most spans`}
          {sort === undefined && ', worst first'}
        </p>
      </div>
      {found.length === 0 ? (
        <Empty
          title={`No service has “${find}” in its name`}
          actions={<Button onClick={() => show({ find: undefined })}>Show all services</Button>}
        />
      ) : (
        <FiguresTable
          label="Services"
          nameLabel="Service"
          rows={rows}
          lines={lines}
          seconds={seconds}
          order={{ column: sort, isUp: up }}
          onOrder={({ column, isUp }) => show({ sort: column, up: isUp || undefined })}
          title={({ name }) => <ServiceLink name={name} />}
          actions={({ name }) => <ServiceMenu model={model} service={name} />}
        />
      )}
      {found.length > rows.length && (
        <Button onClick={() => setLimit(limit + pageSize)}>
          Show {Math.min(pageSize, found.length - rows.length)} more of {found.length - rows.length}
        </Button>
      )}
    </>
  );
}
