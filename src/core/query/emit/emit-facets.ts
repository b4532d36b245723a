import { identifier, join, qualified, sql, type Sql } from '../../../sql/sql.ts';
import type { TimeRange } from '../plan/bucket.ts';
import type { FacetField, FacetPlan } from '../plan/plan-facets.ts';
import type { Condition, Operand } from '../where/condition.ts';
import { emitCondition } from './emit-condition.ts';
import { emitExpression } from './emit-expression.ts';
import { emitRange } from './emit-time.ts';

/** Different values that the engine counts exactly for each field. Bounds its memory. */
const exactValues = 10_000;
/** Longer values are left out: nobody reads them in a list. */
const valueMax = 1000;
const keysMax = 500;

/**
 * One row: the number of rows, then for each field the most frequent values with their counts, the
 * number of rows with a value, the least and the greatest value.
 * @param periods parts of the range to count in
 */
export function emitFacets(plan: FacetPlan, periods: readonly TimeRange[]): Sql {
  const columns = plan.fields.flatMap((field) => facetColumns(field, plan));
  return sql`SELECT ${join([sql`count()`, ...columns], ', ')} FROM ${from(plan)} WHERE ${where(plan, periods)}`;
}

function facetColumns({ operand }: FacetField, { limit, search }: FacetPlan): Sql[] {
  const text = valueText(operand);
  const present = sql`${text} != ''`;
  const shown = [
    present,
    sql`length(${text}) <= ${valueMax}`,
    ...(search === '' ? [] : [emitCondition(containing(textOperand(operand), search))]),
  ];
  const tops = sql`approx_top_kIf(${limit}, ${exactValues})(${text}, ${join(shown, ' AND ')})`;
  const ordered = ['number', 'time'].includes(operand.type.base);
  const value = emitExpression(operand.expression);
  return [
    tops,
    sql`countIf(${present})`,
    ordered ? sql`toString(minIf(${value}, ${present}))` : sql`''`,
    ordered ? sql`toString(maxIf(${value}, ${present}))` : sql`''`,
  ];
}

/** The value as groups of charts show it: no value is the empty text. */
function valueText({ expression, type }: Operand): Sql {
  const value = emitExpression(expression);
  if (
    expression.kind === 'field' &&
    expression.field.kind === 'map_key' &&
    type.base !== 'string'
  ) {
    const { column, key } = expression.field;
    return sql`if(mapContains(${identifier(column)}, ${key}), ifNull(toString(${value}), ''), '')`;
  }
  return type.nullable ? sql`ifNull(toString(${value}), '')` : sql`toString(${value})`;
}

/** The operand as text, so that numbers are searched by their digits. */
function textOperand({ expression, type }: Operand): Operand {
  return type.base === 'string'
    ? { expression, type }
    : {
        expression: { kind: 'call', name: 'toString', args: [expression] },
        type: { base: 'string', nullable: type.nullable, wide: false, float: false, anyText: true },
      };
}

const containing = (operand: Operand, text: string): Condition => ({
  kind: 'pattern',
  operand,
  parts: ['', text, ''],
});

/** Rows `index of the map, key, number of rows`, most frequent first. */
export function emitMapKeys(plan: FacetPlan, periods: readonly TimeRange[]): Sql {
  const pairs = plan.maps.map(
    (name, index) => sql`arrayMap(key -> (${index}, toString(key)), mapKeys(${identifier(name)}))`,
  );
  const pair = sql`arrayJoin(arrayConcat(${join(pairs, ', ')}))`;
  const rows = sql`SELECT ${pair} AS pair FROM ${from(plan)} WHERE ${where(plan, periods)}`;
  const matching =
    plan.search === '' ? sql`` : sql` WHERE ${emitCondition(containing(keyOperand, plan.search))}`;
  return sql`SELECT pair.1 AS map, pair.2 AS key, count() AS found FROM (${rows})${matching}
GROUP BY map, key ORDER BY found DESC, map, key LIMIT ${keysMax}`;
}

const keyOperand: Operand = {
  expression: { kind: 'parameter', name: 'key' },
  type: { base: 'string', nullable: false, wide: false, float: false, anyText: true },
};

const from = ({ table }: FacetPlan): Sql => qualified(table.database, table.name);

function where({ time, condition }: FacetPlan, periods: readonly TimeRange[]): Sql {
  const ranges = periods.map((period) => sql`(${emitRange(time, period)})`);
  return sql`(${join(ranges, ' OR ')}) AND ${emitCondition(condition)}`;
}
