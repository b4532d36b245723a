import { identifier, join, qualified, sql, type Sql } from '../../../sql/sql.ts';
import type { SearchPlan } from '../plan/plan-search.ts';
import { emitExpression } from './emit-expression.ts';

type Order = SearchPlan['order'];
type OrderItem = Order[number];

/** An array with the rank of the row that a page starts after; empty if the row is gone. */
const anchors = identifier('__anchors');

/** `(…) AS __anchors`, for WITH: the engine reads the values itself, so that they keep their types. */
export function emitAnchor(
  { table, order }: Pick<SearchPlan, 'table' | 'order'>,
  isAnchor: Sql,
): Sql {
  const values = order.map(({ operand }) => emitExpression(operand.expression));
  const from = qualified(table.database, table.name);
  return sql`(SELECT groupArray(1)(tuple(${join(values, ', ')})) FROM ${from} WHERE ${isAnchor}) AS ${anchors}`;
}

/** The values that a row is ordered by, as one text: equal for values that the engine orders alike. */
export function emitRank(order: Order): Sql {
  if (order.length === 0) {
    return sql`''`;
  }
  const values = order.map(({ operand: { expression, type } }) => {
    const value = emitExpression(expression);
    // -0 and 0 have the same place.
    return type.base === 'number' && type.float ? sql`(${value} + 0)` : value;
  });
  return sql`toString(tuple(${join(values, ', ')}))`;
}

/** Conditions for rows with the rank of the anchor. */
export function sameRank(order: Order): Sql[] {
  return order.length === 0
    ? []
    : [sql`length(${anchors}) = 1`, ...order.map((item, index) => same(item, index))];
}

/** A condition for rows after the anchor and its ties. `earlier`: rows of an earlier time. */
export function orderedAfter(order: Order, earlier: Sql): Sql {
  const alternatives = order.map((item, index) =>
    join([...order.slice(0, index).map(same), after(item, index)], ' AND '),
  );
  const latest = join([...order.map(same), earlier], ' AND ');
  return sql`length(${anchors}) = 1 AND (${join(
    [...alternatives, latest].map((alternative) => sql`(${alternative})`),
    ' OR ',
  )})`;
}

const anchorValue = (index: number): Sql => sql`tupleElement(${anchors}[1], ${index + 1})`;

/** In both directions values come first, then NaN, then NULL. */
const place = (value: Sql): Sql =>
  sql`multiIf(isNull(${value}), 2, ifNull(${value} != ${value}, false), 1, 0)`;

function same({ operand: { expression, type } }: OrderItem, index: number): Sql {
  const value = emitExpression(expression);
  const anchor = anchorValue(index);
  if (!type.nullable && !type.float) {
    return sql`${value} = ${anchor}`;
  }
  return sql`(${place(value)} = ${place(anchor)} AND (${place(anchor)} != 0 OR ifNull(${value} = ${anchor}, false)))`;
}

function after({ operand: { expression, type }, descending }: OrderItem, index: number): Sql {
  const value = emitExpression(expression);
  const anchor = anchorValue(index);
  const beyond = descending ? sql`${value} < ${anchor}` : sql`${value} > ${anchor}`;
  if (!type.nullable && !type.float) {
    return beyond;
  }
  const bothAreValues = sql`${place(value)} = 0 AND ${place(anchor)} = 0`;
  return sql`(${place(value)} > ${place(anchor)} OR (${bothAreValues} AND ifNull(${beyond}, false)))`;
}
