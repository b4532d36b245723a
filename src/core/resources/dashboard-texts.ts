import type { DashboardChange } from '../../contract/dashboard/dashboard.ts';
import type { TileConfig } from '../../contract/dashboard/tile.ts';
import type { SourcedText } from './text-check.ts';

/** Every condition and expression of a dashboard that a caller sends. */
export function dashboardTexts({
  tiles = [],
  filters = [],
  savedQuery,
  savedQueryLanguage,
}: DashboardChange): SourcedText[] {
  const ofFilters = filters.map(({ expression, sourceId }, index): SourcedText => ({
    path: `filters.${index}.expression`,
    text: expression,
    as: 'expression',
    sourceId,
  }));
  // The saved query applies to tiles of several sources, so no single source can check its columns.
  const ofQuery: SourcedText[] =
    savedQuery == null
      ? []
      : [
          {
            path: 'savedQuery',
            text: savedQuery,
            as: 'condition',
            language: savedQueryLanguage ?? undefined,
          },
        ];
  return [
    ...tiles.flatMap(({ config }, index) => tileTexts(config, `tiles.${index}.config`)),
    ...ofFilters,
    ...ofQuery,
  ];
}

function tileTexts(config: TileConfig, path: string): SourcedText[] {
  if (config.displayType === 'markdown') {
    return [];
  }
  return (
    config.displayType === 'search' ? searchTexts(config, path) : builtTexts(config, path)
  ).map((text) => ({ ...text, sourceId: config.sourceId }));
}

function searchTexts(
  { select, where, whereLanguage, orderBy }: Extract<TileConfig, { displayType: 'search' }>,
  path: string,
): SourcedText[] {
  return [
    ...(where === undefined
      ? []
      : [
          { path: `${path}.where`, text: where, as: 'condition' as const, language: whereLanguage },
        ]),
    ...(select === undefined
      ? []
      : [{ path: `${path}.select`, text: select, as: 'columns' as const }]),
    ...(orderBy === undefined
      ? []
      : [{ path: `${path}.orderBy`, text: orderBy, as: 'order' as const }]),
  ];
}

function builtTexts(
  { select, groupBy }: Exclude<TileConfig, { displayType: 'search' | 'markdown' }>,
  path: string,
): SourcedText[] {
  const values = select.flatMap(
    ({ where, whereLanguage, valueExpression, metricType }, index): SourcedText[] => [
      ...(where === undefined
        ? []
        : [
            {
              path: `${path}.select.${index}.where`,
              text: where,
              as: 'condition' as const,
              language: whereLanguage,
              metricType,
            },
          ]),
      ...(valueExpression === undefined
        ? []
        : [
            {
              path: `${path}.select.${index}.valueExpression`,
              text: valueExpression,
              as: 'expression' as const,
              metricType,
            },
          ]),
    ],
  );
  const metricType = select[0]?.metricType;
  const groups: SourcedText[] =
    typeof groupBy === 'string'
      ? [{ path: `${path}.groupBy`, text: groupBy, as: 'groups', metricType }]
      : (groupBy ?? []).map((text, index) => ({
          path: `${path}.groupBy.${index}`,
          text,
          as: 'expression',
          metricType,
        }));
  return [...values, ...groups];
}
