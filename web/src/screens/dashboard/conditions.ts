import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Schemas } from '../../api/client.ts';
import type { Dashboard, DashboardFilter } from '../../api/queries/dashboards.ts';
import { sourceFieldsQuery, type SourceField } from '../../api/queries/sources.ts';
import { sourceIdsOf } from '../../tiles/exchange/export.ts';
import { chosenFilters, valuesOf } from './model.ts';
import type { DashboardParams } from './params.ts';

type Filter = Schemas['Filter'];

/** The conditions of a dashboard for each source. */
export interface Conditions {
  filtersOf(sourceId: string): readonly Filter[];
  /** Chosen filters whose field a source does not have: they do not apply to its tiles. */
  strangersOf(sourceId: string): readonly DashboardFilter[];
  /** Whether a filter applies to tiles of a source. */
  fits(filter: DashboardFilter, sourceId: string): boolean;
}

/** The saved query and the chosen filters, each a condition of its own. */
export function useConditions(
  dashboard: Pick<Dashboard, 'tiles' | 'filters' | 'savedQuery' | 'savedQueryLanguage'>,
  params: DashboardParams,
): Conditions {
  const chosen = chosenFilters(dashboard, params);
  const repeating = dashboard.filters.filter(({ id }) =>
    dashboard.tiles.some(({ repeatBy }) => repeatBy !== undefined && repeatBy === id),
  );
  // Only a filter of another source asks which fields a source has.
  const wanted = sourceIdsOf(dashboard).filter((id) =>
    [...chosen, ...repeating].some(({ sourceId }) => sourceId !== id),
  );
  const fields = useQueries({
    queries: wanted.map((id) => sourceFieldsQuery(id)),
    combine: (results) => results.map(({ data }) => data),
  });
  const key = JSON.stringify([dashboard.savedQuery, chosen.map((one) => valuesOf(params, one))]);
  return useMemo(() => {
    const bySource = new Map(wanted.map((id, index) => [id, fields[index]]));
    const made = new Map<string, readonly Filter[]>();
    const fits = (filter: DashboardFilter, sourceId: string): boolean =>
      filter.sourceId === sourceId || hasField(bySource.get(sourceId), filter.expression);
    return {
      filtersOf(sourceId) {
        const known = made.get(sourceId);
        const list = known ?? [
          ...savedQueryFilter(dashboard),
          ...chosen.filter((one) => fits(one, sourceId)).map((one) => fieldFilter(one, params)),
        ];
        made.set(sourceId, list);
        return list;
      },
      strangersOf: (sourceId) => chosen.filter((one) => !fits(one, sourceId)),
      fits,
    };
    // The key holds everything else that the conditions are made of.
  }, [key, fields, dashboard]);
}

function savedQueryFilter({
  savedQuery,
  savedQueryLanguage,
}: Pick<Dashboard, 'savedQuery' | 'savedQueryLanguage'>): Filter[] {
  return savedQuery.trim() === '' ? [] : [{ type: savedQueryLanguage, condition: savedQuery }];
}

const fieldFilter = (filter: DashboardFilter, params: DashboardParams): Filter => ({
  type: 'field',
  field: filter.expression,
  op: 'is',
  values: [...valuesOf(params, filter)],
});

/** Whether a source has the column that an expression begins with. */
export function hasField(fields: readonly SourceField[] | undefined, expression: string): boolean {
  const [column = ''] = expression.split('.');
  return (fields ?? []).some(({ name }) => name === column || name.startsWith(`${column}.`));
}
