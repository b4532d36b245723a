import {
  mappingMistakes,
  type PipeDestinationInput,
  type PipeFieldMapping,
} from './destination.ts';
import type { Mistake, SourceContracts } from './source-contract.ts';
import { kindsIn } from './sources.ts';

interface CreateInput {
  source: Readonly<Record<string, unknown>>;
  destination?: PipeDestinationInput | undefined;
  fieldMappings?: PipeFieldMapping[] | undefined;
}

/** The mistakes of a create body that concern the combination of its parts. */
export function createMistakes(contracts: SourceContracts, created: CreateInput): Mistake[] {
  const [kind, ...others] = kindsIn(contracts, created.source);
  if (kind === undefined || others.length > 0) {
    return [];
  }
  const tablesField = contracts[kind]?.tablesField ?? null;
  return tablesField === null
    ? tableMistakes(kind, created)
    : ownTablesMistakes(kind, tablesField, created);
}

/** The source names its tables, so nothing else may. */
function ownTablesMistakes(
  kind: string,
  tablesField: string,
  { destination = {}, fieldMappings = [] }: CreateInput,
): Mistake[] {
  const refused = (['table', 'columns', 'tableDefinition', 'managedTable'] as const).filter(
    (name) => destination[name] !== undefined,
  );
  const mistakes = refused.map((name): Mistake => [
    ['destination', name],
    `cannot be combined with a ${kind} source: source.${kind}.${tablesField} defines its tables`,
  ]);
  if (fieldMappings.length > 0) {
    mistakes.push([['fieldMappings'], `cannot be combined with a ${kind} source`]);
  }
  return mistakes;
}

function tableMistakes(
  kind: string,
  { destination = {}, fieldMappings = [] }: CreateInput,
): Mistake[] {
  const missing = (['table', 'columns'] as const).filter((name) => destination[name] === undefined);
  const mistakes = missing.map((name): Mistake => [
    ['destination', name],
    `is required for a ${kind} source`,
  ]);
  return fieldMappings.length === 0 || destination.columns === undefined
    ? mistakes
    : [...mistakes, ...mappingMistakes(fieldMappings, destination.columns)];
}
