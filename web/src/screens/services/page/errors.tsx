import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { totalsQuery } from '../../../api/queries/services.ts';
import { Cell, ListTable, TitleCell } from '../../../kit/list-table.tsx';
import { formatCount } from '../../../view/number-format.ts';
import { hasFailed, messageIs, operationIs, spansSearch } from '../links.ts';
import { columnsOf, countsRequest, errorStatus, is, type Scope } from '../model/figures.ts';
import { Region } from '../region.tsx';
import type { ServicesModel } from '../use-services.ts';
import styles from '../services.module.css';

const errorsMax = 20;

const columns = [{ label: 'Message' }, { label: 'Operation', isExtra: true }, { label: 'Spans' }];

/** The failed spans of a service by their message, most frequent first. */
export function Errors({ model, service }: { model: ServicesModel; service: string }) {
  const { source, span, runId, zone, params } = model;
  const { service: field, status, message, name } = columnsOf(source);
  const filters = [is(field, service), is(status, ...errorStatus)];
  const scope: Scope = { source, span, spans: 'all', filters };
  const request = totalsQuery({ body: [countsRequest(scope, [message, name], errorsMax)], runId });
  const query = useQuery(request);
  return (
    <section className={styles.part} aria-label="Errors by message">
      <h2>Errors by message</h2>
      <Region
        query={query}
        queryKey={request.queryKey}
        failed="The errors cannot be listed"
        reading="Reading errors"
        zone={zone}
        lines={3}
      >
        {({ totals: [result] }) =>
          result && result.rows.length > 0 ? (
            <>
              <ListTable label="Errors by message" columns={columns}>
                {result.rows.map(({ group = [], 'series_0.data': count }) => {
                  const [text = '', operation = ''] = group;
                  const more = [
                    hasFailed(source),
                    messageIs(source, text),
                    operationIs(source, operation),
                  ];
                  return (
                    <tr key={JSON.stringify(group)}>
                      <TitleCell
                        title={
                          <Link to="/search" search={spansSearch(source, service, params, more)}>
                            {text === '' ? 'No message' : text}
                          </Link>
                        }
                        smallNote={operation}
                      />
                      <Cell isExtra>
                        <span className={styles.operation}>{operation}</span>
                      </Cell>
                      <Cell>{formatCount(typeof count === 'number' ? count : 0)}</Cell>
                    </tr>
                  );
                })}
              </ListTable>
              {result.groups > result.rows.length && (
                <p className={styles.note}>
                  The {errorsMax} most frequent of {result.groups} messages.
                </p>
              )}
            </>
          ) : (
            <p className={styles.note}>No span of the service has failed in this range.</p>
          )
        }
      </Region>
    </section>
  );
}
