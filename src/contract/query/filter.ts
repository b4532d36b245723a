import { z } from 'zod';
import { WhereLanguage } from '../common.ts';

/** Maximum length of a condition or expression, in characters. */
export const expressionMax = 8192;

export const Where = z
  .string()
  .max(expressionMax)
  .meta({ description: 'Condition that rows must match; empty matches all rows.' });

const condition = z
  .string()
  .min(1)
  .max(expressionMax)
  .meta({ description: 'Condition in the language of `type` (1–8192 characters).' });

export const ConditionFilter = z.object({ type: WhereLanguage, condition }).meta({
  id: 'ConditionFilter',
  description: 'A condition in the language that `type` names.',
  example: { type: 'lucene', condition: 'SeverityText:error' },
});

const operators = ['is', 'is_not', 'exists', 'not_exists', 'between'] as const;

const FilterValue = z.string().max(expressionMax);

export const FieldFilter = z
  .object({
    type: z.literal('field'),
    field: z
      .string()
      .min(1)
      .max(2048)
      .meta({ description: 'Column, map key (`Map.key.with.dots`) or expression to test.' }),
    op: z.enum(operators).meta({
      description:
        '`is`: equals one of `values`. `is_not`: equals none of them. `exists`: the map has the key, ' +
        'or the value is not empty. `not_exists`: the opposite. `between`: a number or time from ' +
        '`min` to `max`, both included; one of them may be absent.',
    }),
    values: z.array(FilterValue).min(1).max(100).optional().meta({
      description:
        'Exact values, as text (1–100). Required for `is` and `is_not`. A missing key has the empty text.',
    }),
    min: FilterValue.optional().meta({
      description: 'Least value, as text: a number, or for a time ISO 8601 or milliseconds.',
    }),
    max: FilterValue.optional().meta({ description: 'Greatest value, in the same forms.' }),
  })
  .superRefine(({ op, values, min, max }, context) => {
    const issue = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    const takesValues = op === 'is' || op === 'is_not';
    if (takesValues !== (values !== undefined)) {
      issue(
        'values',
        takesValues ? `is required for ${op}` : `is not allowed for ${op}; remove it`,
      );
    }
    if (op === 'between' && min === undefined && max === undefined) {
      issue('min', 'is required for between, unless max is given');
    }
    if (op !== 'between' && min !== undefined) {
      issue('min', `is not allowed for ${op}; remove it`);
    }
    if (op !== 'between' && max !== undefined) {
      issue('max', `is not allowed for ${op}; remove it`);
    }
  })
  .meta({
    id: 'FieldFilter',
    description: 'A test of one field.',
    example: { type: 'field', field: 'ServiceName', op: 'is', values: ['checkout', 'payment'] },
  });
export type FieldFilter = z.output<typeof FieldFilter>;

export const Filter = z.discriminatedUnion('type', [ConditionFilter, FieldFilter]).meta({
  id: 'Filter',
  description: 'Additional condition. A row must match `where` and every filter.',
});
export type Filter = z.output<typeof Filter>;

export const Filters = z.array(Filter).max(50).meta({
  description:
    'Additional conditions (at most 50, default none). A row must match `where` and every filter.',
});

/** Which rows a request is about, besides their time. */
export const rowConditions = {
  where: Where.default(''),
  whereLanguage: WhereLanguage.default('lucene'),
  filters: Filters.default([]),
};
