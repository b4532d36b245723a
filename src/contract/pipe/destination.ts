import { z } from 'zod';
import { EngineName } from './fields.ts';

/** ClickHouse type text; its grammar is checked by the type parser, its meaning by the engine when the table is made. */
const TypeText = z.string().min(1, 'must not be empty').max(4096);
const Expression = z.string().min(1, 'must not be empty').max(4096);

export const PipeColumn = z.object({ name: EngineName, type: TypeText }).meta({ id: 'PipeColumn' });
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
          message: 'names a column twice',
        });
      }
    }
  });

export const PipeTableEngine = z
  .object({
    type: z
      .enum(['MergeTree', 'ReplacingMergeTree', 'SummingMergeTree', 'Null'])
      .optional()
      .meta({ description: 'By the fields below where absent, else MergeTree' }),
    versionColumnId: EngineName.optional().meta({ description: 'Makes it a ReplacingMergeTree' }),
    columnIds: z
      .array(EngineName)
      .max(1000)
      .optional()
      .meta({ description: 'Columns to sum: makes it a SummingMergeTree' }),
  })
  .meta({ id: 'PipeTableEngine' });
export type PipeTableEngine = z.output<typeof PipeTableEngine>;

export const PipeTableDefinition = z
  .object({
    engine: PipeTableEngine.optional(),
    sortingKey: z
      .array(Expression)
      .max(64)
      .optional()
      .meta({ description: 'Columns or expressions; none: tuple()' }),
    partitionBy: Expression.optional(),
    primaryKey: Expression.optional(),
  })
  .meta({ id: 'PipeTableDefinition' });
export type PipeTableDefinition = z.output<typeof PipeTableDefinition>;

const visible = {
  database: EngineName.optional(),
  table: EngineName.optional(),
  managedTable: z.boolean().optional().meta({
    description:
      'true (default): the pipe makes the table; false: it must exist with these columns',
  }),
  tableDefinition: PipeTableDefinition.optional(),
  columns: PipeColumns.optional(),
};

export const PipeDestinationInput = z
  .object({
    ...visible,
    roles: z.array(EngineName).max(100).optional().meta({
      description: 'Granted SELECT on the table where the engine is a server; kept, not returned',
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
  .object({ ...visible, database: EngineName })
  .meta({ id: 'PipeDestination' });
export type PipeDestination = z.output<typeof PipeDestination>;

type Mistake = [path: (string | number)[], message: string];

function tableMistakes({ managedTable, tableDefinition }: PipeDestinationInput): Mistake[] {
  return managedTable === false && tableDefinition !== undefined
    ? [[['tableDefinition'], 'goes with managedTable only']]
    : [];
}

function engineMistakes({ tableDefinition, columns = [] }: PipeDestinationInput): Mistake[] {
  const engine = tableDefinition?.engine;
  if (engine === undefined) {
    return [];
  }
  const at = ['tableDefinition', 'engine'];
  const known = new Set(columns.map(({ name }) => name));
  const mistakes: Mistake[] = [];
  const { type, versionColumnId, columnIds } = engine;
  if (versionColumnId !== undefined && columnIds !== undefined) {
    mistakes.push([
      [...at, 'columnIds'],
      'does not go with versionColumnId: a table either replaces or sums',
    ]);
  }
  if (versionColumnId !== undefined && !known.has(versionColumnId)) {
    mistakes.push([[...at, 'versionColumnId'], 'is not one of the columns']);
  }
  for (const [index, id] of (columnIds ?? []).entries()) {
    if (!known.has(id)) {
      mistakes.push([[...at, 'columnIds', index], 'is not one of the columns']);
    }
  }
  if (type !== undefined && type !== 'ReplacingMergeTree' && versionColumnId !== undefined) {
    mistakes.push([[...at, 'versionColumnId'], `does not go with type ${type}`]);
  }
  if (type !== undefined && type !== 'SummingMergeTree' && columnIds !== undefined) {
    mistakes.push([[...at, 'columnIds'], `does not go with type ${type}`]);
  }
  return mistakes;
}

/** Fields of a record a source kind offers besides those in its own data. */
export const virtualFields = {
  kafka: ['_topic', '_partition', '_offset', '_timestamp', '_key', '_headers', '_raw_message'],
  objectStorage: ['_path', '_file', '_size', '_time'],
  cloudstream: ['_stream', '_shard', '_sequence_number', '_timestamp', '_key', '_raw_message'],
  postgres: [],
} as const satisfies Record<string, readonly string[]>;

export const PipeFieldMapping = z
  .object({
    sourceField: z
      .string()
      .min(1, 'must not be empty')
      .max(1024)
      .refine(
        (path) => path.split('.').every((part) => part !== ''),
        'must be a name, or names with single dots between them',
      )
      .meta({ description: 'A field of the record: a dotted path or a virtual field' }),
    destinationField: EngineName,
  })
  .meta({ id: 'PipeFieldMapping' });
export type PipeFieldMapping = z.output<typeof PipeFieldMapping>;

export const PipeFieldMappings = z.array(PipeFieldMapping).max(1000);

/** Every column mapped, none twice, only to known columns. */
export function mappingMistakes(
  mappings: readonly PipeFieldMapping[],
  columns: readonly PipeColumn[],
): Mistake[] {
  const known = new Set(columns.map(({ name }) => name));
  const mapped = new Set<string>();
  const mistakes = mappings.flatMap(({ destinationField }, index): Mistake[] => {
    const path = ['fieldMappings', index, 'destinationField'];
    if (!known.has(destinationField)) {
      return [[path, 'is not one of the destination columns']];
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
