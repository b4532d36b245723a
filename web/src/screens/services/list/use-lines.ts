import { useQueries } from '@tanstack/react-query';
import { pointsQuery } from '../../../api/queries/services.ts';
import { columnsOf, is, linesOf, linesRequest, type Lines, type Scope } from '../model/figures.ts';

/** Names in one question: a filter has at most 100 values. */
const namesAtOnce = 50;

/** Values over time of the rows that are shown, by name. A failure leaves them out. */
export function useLines(
  scope: Scope,
  field: string,
  names: readonly string[],
  runId: number,
): ReadonlyMap<string, Lines> {
  const { nanos } = columnsOf(scope.source);
  // In an order of their own, so that another order of the list asks nothing.
  const sorted = names.toSorted();
  const parts = Array.from({ length: Math.ceil(sorted.length / namesAtOnce) }, (_, part) =>
    sorted.slice(part * namesAtOnce, (part + 1) * namesAtOnce),
  );
  const answers = useQueries({
    queries: parts.map((values) => {
      const filters = [...scope.filters, is(field, ...values)];
      return pointsQuery({ body: linesRequest({ ...scope, filters }, [field]), runId });
    }),
  });
  return new Map(answers.flatMap(({ data }) => (data ? [...linesOf(data, nanos)] : [])));
}
