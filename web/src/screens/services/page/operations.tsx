import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { totalsQuery } from '../../../api/queries/services.ts';
import { Button } from '../../../kit/button.tsx';
import { FiguresTable } from '../list/figures-table.tsx';
import { useLines } from '../list/use-lines.ts';
import { hasFailed, operationIs, spansSearch } from '../links.ts';
import {
  columnsOf,
  figuresOf,
  is,
  secondsOf,
  totalsRequest,
  type Figures,
  type Scope,
} from '../model/figures.ts';
import { ordered, type Order } from '../model/order.ts';
import { Region } from '../region.tsx';
import type { ServicesModel } from '../use-services.ts';
import styles from '../services.module.css';

const operationsMax = 200;
const pageSize = 20;

interface OperationsProps {
  model: ServicesModel;
  service: string;
}

/** What a service does, by name of the span. */
export function Operations({ model, service }: OperationsProps) {
  const { source, span, runId, zone, params } = model;
  const columns = columnsOf(source);
  const spans = params.spans ?? 'requests';
  const scope: Scope = { source, span, spans, filters: [is(columns.service, service)] };
  const request = totalsQuery({
    body: [totalsRequest(scope, [columns.name], operationsMax)],
    runId,
  });
  const query = useQuery(request);
  return (
    <section className={styles.part} aria-label="Operations">
      <h2>Operations</h2>
      <Region
        query={query}
        queryKey={request.queryKey}
        failed="The operations cannot be listed"
        reading="Reading operations"
        zone={zone}
        lines={4}
      >
        {({ totals: [result], ...answer }) =>
          result && result.rows.length > 0 ? (
            <OperationTable
              model={model}
              service={service}
              scope={scope}
              seconds={secondsOf(answer.span, answer.atMs)}
              list={figuresOf(result, columns.nanos)}
              count={result.groups}
            />
          ) : (
            <p className={styles.note}>No operation in this range.</p>
          )
        }
      </Region>
    </section>
  );
}

interface OperationTableProps extends OperationsProps {
  scope: Scope;
  seconds: number;
  list: readonly Figures[];
  /** Number of all operations. */
  count: number;
}

function OperationTable({ model, service, scope, seconds, list, count }: OperationTableProps) {
  const { source, params } = model;
  const [order, setOrder] = useState<Order>({ column: undefined, isUp: false });
  const [limit, setLimit] = useState(pageSize);
  const rows = ordered(list, order).slice(0, limit);
  const lines = useLines(
    scope,
    columnsOf(source).name,
    rows.map(({ name }) => name),
    model.runId,
  );
  const search = (name: string, isBroken: boolean) =>
    spansSearch(source, service, params, [
      operationIs(source, name),
      ...(isBroken ? [hasFailed(source)] : []),
    ]);
  return (
    <>
      <FiguresTable
        label="Operations"
        nameLabel="Operation"
        rows={rows}
        lines={lines}
        seconds={seconds}
        order={order}
        onOrder={setOrder}
        title={({ name }) => (
          <Link to="/search" search={search(name, false)}>
            {name === '' ? '(empty)' : name}
          </Link>
        )}
        actions={({ name, errors }) =>
          errors > 0 && (
            <Link
              to="/search"
              search={search(name, true)}
              aria-label={`Errors of ${name === '' ? '(empty)' : name}`}
            >
              Errors
            </Link>
          )
        }
      />
      {list.length > rows.length && (
        <Button onClick={() => setLimit(limit + pageSize)}>
          Show {Math.min(pageSize, list.length - rows.length)} more of {list.length - rows.length}
        </Button>
      )}
      {count > list.length && (
        <p className={styles.note}>
          The {operationsMax} most frequent of {count} operations.
        </p>
      )}
    </>
  );
}
