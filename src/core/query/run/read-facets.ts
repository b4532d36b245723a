import { facetRowsMax, type Facet, type FacetResult } from '../../../contract/query/facets.ts';
import type { QueryResult, Value } from '../../../ports/telemetry.ts';
import type { Sql } from '../../../sql/sql.ts';
import { emitFacets, emitMapKeys } from '../emit/emit-facets.ts';
import { mapKeyPath } from '../fields/fields.ts';
import type { TimeRange } from '../plan/bucket.ts';
import type { FacetField, FacetPlan } from '../plan/plan-facets.ts';

type Run = (statement: Sql) => Promise<QueryResult>;

/**
 * Counts the values of all fields in one scan, and the keys of maps in another.
 * @param total number of rows that match
 */
export async function readFacets(plan: FacetPlan, total: number, run: Run): Promise<FacetResult> {
  const periods = sampledPeriods(plan.range, total);
  const result = await read(plan, periods, run);
  // Rows that stand close together may all lie between the periods.
  return result.countedRows === 0 && total > 0 && periods.length > 1
    ? shown(plan, total, await read(plan, [plan.range], run))
    : shown(plan, total, result);
}

interface Counted {
  countedRows: number;
  facets: Facet[];
  keys: FacetResult['keys'];
}

async function read(plan: FacetPlan, periods: TimeRange[], run: Run): Promise<Counted> {
  const [counted, keys] = await Promise.all([
    run(emitFacets(plan, periods)),
    plan.maps.length === 0 ? undefined : run(emitMapKeys(plan, periods)),
  ]);
  const [countedRows, ...columns] = counted.rows[0] ?? [];
  return {
    countedRows: Number(countedRows ?? 0),
    facets: plan.fields.map((field, index) =>
      facetOf(field, columns.slice(index * columnsPerFacet, (index + 1) * columnsPerFacet)),
    ),
    keys: keys?.rows.map(([map, key, rows]) => ({
      field: mapKeyPath(plan.maps[Number(map)] ?? '', String(key)),
      rows: Number(rows),
    })),
  };
}

/** Columns that are empty in every row are shown only if the caller named them. */
function shown(
  plan: FacetPlan,
  total: number,
  { countedRows, facets, keys }: Counted,
): FacetResult {
  // Rows may arrive between the two queries.
  const rows = Math.max(total, countedRows);
  return {
    rows,
    countedRows,
    sampled: total > facetRowsMax && countedRows < rows,
    facets: plan.named ? facets : facets.filter((facet) => facet.rows > 0),
    ...(!plan.named && { keys: keys ?? [] }),
  };
}

/** Values, rows with a value, least and greatest value. */
const columnsPerFacet = 4;

function facetOf({ name, operand }: FacetField, columns: readonly Value[]): Facet {
  const [tops, rows, min, max] = columns;
  const values = (Array.isArray(tops) ? tops : []) as Record<string, Value>[];
  const present = Number(rows) > 0;
  return {
    field: name,
    type: facetTypes[operand.type.base] ?? 'text',
    rows: Number(rows),
    values: values
      .map(({ item, count }) => ({ value: String(item), rows: Number(count) }))
      .sort((left, right) => right.rows - left.rows || (left.value < right.value ? -1 : 1)),
    approximate: values.some(({ error }) => Number(error) > 0),
    ...(present && min !== '' && { min: String(min), max: String(max) }),
  };
}

const facetTypes: Record<string, Facet['type']> = {
  number: 'number',
  time: 'time',
  boolean: 'boolean',
};

const periodCount = 32;

/** The whole range, or periods spread over it that hold about `facetRowsMax` of the rows. */
export function sampledPeriods({ fromMs, toMs }: TimeRange, total: number): TimeRange[] {
  const stepMs = (toMs - fromMs) / periodCount;
  const lengthMs = Math.ceil((stepMs * facetRowsMax) / Math.max(total, 1));
  if (total <= facetRowsMax || stepMs < 1) {
    return [{ fromMs, toMs }];
  }
  return Array.from({ length: periodCount }, (_, index) => {
    const startMs = Math.floor(fromMs + index * stepMs);
    return { fromMs: startMs, toMs: Math.min(startMs + lengthMs, toMs) };
  });
}
