import { z } from 'zod';
import { EngineName } from './fields.ts';
import type { Mistake } from './source-contract.ts';

/**
 * ClickHouse type text. The type parser checks its grammar, and the engine its meaning when it
 * creates the table.
 */
const TypeText = z.string().min(1, 'must not be empty').max(4096);
const Expression = z.string().min(1, 'must not be empty').max(4096);

export const PipeColumn = z
  .object({
    name: EngineName.meta({ description: 'Name of the column (1–206 characters).' }),
    type: TypeText.meta({ description: 'ClickHouse type of the column.' }),
  })
  .meta({ id: 'PipeColumn' });
export type PipeColumn = z.output<typeof PipeColumn>;

export const PipeColumns = z
  .array(PipeColumn)
  .min(1, 'must have at least one column')
  .max(1000, 'must have at most 1000 columns')
  .superRefine((columns, context) => {
    for (const [index, { name }] of columns.entries()) {
      if (columns.findIndex((column) => column.name === name) !== index) {
        context.addIssue({
          code: 'custom',
          path: [index, 'name'],
          message: 'lists a column twice',
        });
      }
    }
  });

export const PipeTableEngine = z
  .object({
    type: z.enum(['MergeTree', 'ReplacingMergeTree', 'SummingMergeTree', 'Null']).optional().meta({
      description:
        'Table engine. If absent, the fields below decide; without them it is MergeTree.',
    }),
    versionColumnId: EngineName.optional().meta({
      description: 'Version column; selects ReplacingMergeTree.',
    }),
    columnIds: z
      .array(EngineName)
      .max(1000)
      .optional()
      .meta({ description: 'Columns to sum; selects SummingMergeTree.' }),
  })
  .meta({ id: 'PipeTableEngine' });
export type PipeTableEngine = z.output<typeof PipeTableEngine>;

export const PipeTableDefinition = z
  .object({
    engine: PipeTableEngine.optional(),
    sortingKey: z.array(Expression).max(64).optional().meta({
      description:
        'Columns or expressions of ORDER BY. If absent or empty, the table is not sorted: `tuple()`.',
    }),
    partitionBy: Expression.optional().meta({ description: 'Expression of PARTITION BY.' }),
    primaryKey: Expression.optional().meta({
      description: 'Expression of PRIMARY KEY, a prefix of the sorting key.',
    }),
  })
  .meta({ id: 'PipeTableDefinition' });
export type PipeTableDefinition = z.output<typeof PipeTableDefinition>;

const visible = {
  database: EngineName.optional().meta({
    description:
      'Database of the table (default `default`). `default` is the own database of the service. ' +
      'Other databases must be listed for the service by the operator.',
  }),
  table: EngineName.optional().meta({ description: 'Name of the table (1–206 characters).' }),
  managedTable: z.boolean().optional().meta({
    description:
      'If true (default), the pipe creates the table. If false, the table must already exist with these columns.',
  }),
  tableDefinition: PipeTableDefinition.optional(),
  columns: PipeColumns.optional().meta({ description: 'Columns that the pipe fills (1–1000).' }),
};

export const PipeDestinationInput = z
  .object({
    ...visible,
    roles: z.array(EngineName).max(100).optional().meta({
      description:
        'Roles that receive SELECT on the table. Requires a ClickHouse server. Stored, but not returned.',
      writeOnly: true,
    }),
  })
  .superRefine((destination, context) => {
    for (const [path, message] of [...engineMistakes(destination), ...tableMistakes(destination)]) {
      context.addIssue({ code: 'custom', path, message });
    }
  })
  .meta({ id: 'PipeDestinationInput' });
export type PipeDestinationInput = z.output<typeof PipeDestinationInput>;

export const PipeDestination = z
  .object({ ...visible, database: EngineName.meta({ description: 'Database of the table.' }) })
  .meta({ id: 'PipeDestination' });
export type PipeDestination = z.output<typeof PipeDestination>;

function tableMistakes({ managedTable, tableDefinition }: PipeDestinationInput): Mistake[] {
  return managedTable === false && tableDefinition !== undefined
    ? [[['tableDefinition'], 'is only allowed if managedTable is true']]
    : [];
}

function engineMistakes({ tableDefinition, columns = [] }: PipeDestinationInput): Mistake[] {
  const engine = tableDefinition?.engine;
  if (engine === undefined) {
    return [];
  }
  const path = ['tableDefinition', 'engine'];
  const known = new Set(columns.map(({ name }) => name));
  const mistakes: Mistake[] = [];
  const { type, versionColumnId, columnIds } = engine;
  if (versionColumnId !== undefined && columnIds !== undefined) {
    mistakes.push([
      [...path, 'columnIds'],
      'cannot be combined with versionColumnId: a table either replaces or sums rows',
    ]);
  }
  if (versionColumnId !== undefined && !known.has(versionColumnId)) {
    mistakes.push([[...path, 'versionColumnId'], 'is not in columns']);
  }
  for (const [index, id] of (columnIds ?? []).entries()) {
    if (!known.has(id)) {
      mistakes.push([[...path, 'columnIds', index], 'is not in columns']);
    }
  }
  if (type !== undefined && type !== 'ReplacingMergeTree' && versionColumnId !== undefined) {
    mistakes.push([[...path, 'versionColumnId'], `cannot be combined with type ${type}`]);
  }
  if (type !== undefined && type !== 'SummingMergeTree' && columnIds !== undefined) {
    mistakes.push([[...path, 'columnIds'], `cannot be combined with type ${type}`]);
  }
  return mistakes;
}

export const PipeFieldMapping = z
  .object({
    sourceField: z
      .string()
      .min(1, 'must not be empty')
      .max(1024)
      .refine(
        (path) => path.split('.').every((part) => part !== ''),
        'must be a name, or names separated by single dots',
      )
      .meta({ description: 'Field of the record: a dotted path or a virtual field.' }),
    destinationField: EngineName.meta({ description: 'Column that receives the value.' }),
  })
  .meta({ id: 'PipeFieldMapping' });
export type PipeFieldMapping = z.output<typeof PipeFieldMapping>;

export const PipeFieldMappings = z.array(PipeFieldMapping).max(1000);

/** Every column must be mapped once, and only known columns. */
export function mappingMistakes(
  mappings: readonly PipeFieldMapping[],
  columns: readonly PipeColumn[],
): Mistake[] {
  const known = new Set(columns.map(({ name }) => name));
  const mapped = new Set<string>();
  const mistakes = mappings.flatMap(({ destinationField }, index): Mistake[] => {
    const path = ['fieldMappings', index, 'destinationField'];
    if (!known.has(destinationField)) {
      return [[path, 'is not in destination.columns']];
    }
    if (mapped.has(destinationField)) {
      return [[path, 'is mapped twice']];
    }
    mapped.add(destinationField);
    return [];
  });
  const missing = columns.filter(({ name }) => !mapped.has(name)).map(({ name }) => name);
  if (missing.length > 0) {
    mistakes.push([
      ['fieldMappings'],
      `must map every destination column; missing: ${missing.join(', ')}`,
    ]);
  }
  return mistakes;
}
