import type { Expression } from '../expression/expression.ts';
import { joined, type Condition, type Operand } from '../where/condition.ts';
import type { Plan, Scan } from './plan.ts';

/** The plan for the data of these groups only. */
export const withinGroups = (plan: Plan, groups: readonly string[][]): Plan => ({
  ...plan,
  scans: plan.scans.map((scan) => narrowed(scan, membership(scan.groups, groups, false))),
});

/** The plan for the data of all other groups, taken together. */
export const outsideGroups = (plan: Plan, groups: readonly string[][]): Plan => ({
  ...plan,
  grouped: false,
  scans: plan.scans.map((scan) => ({
    ...narrowed(scan, membership(scan.groups, groups, true)),
    groups: [],
  })),
});

/** The same plan over the whole range, without buckets. */
export const withoutBuckets = (plan: Plan): Plan => ({
  ...plan,
  bucketMs: undefined,
  scans: plan.scans.map((scan) => ({ ...scan, bucketMs: undefined })),
});

const narrowed = (scan: Scan, condition: Condition): Scan => ({
  ...scan,
  measures: scan.measures.map((measure) => ({
    ...measure,
    condition: joined('and', [measure.condition, condition]),
  })),
});

/** Whether the groups of a row, written as results show them, are in the list. */
function membership(
  operands: readonly Operand[],
  groups: readonly string[][],
  negated: boolean,
): Condition {
  const keys = operands.map(({ expression }): Expression => {
    const text: Expression = { kind: 'call', name: 'toString', args: [expression] };
    return { kind: 'call', name: 'ifNull', args: [text, { kind: 'string', value: '' }] };
  });
  const list = groups.map((group) =>
    oneOrTuple(group.map((value): Expression => ({ kind: 'string', value }))),
  );
  return {
    kind: 'expression',
    expression: { kind: 'in', negated, operand: oneOrTuple(keys), list },
  };
}

function oneOrTuple(items: Expression[]): Expression {
  const [only] = items;
  return only && items.length === 1 ? only : { kind: 'tuple', items };
}
