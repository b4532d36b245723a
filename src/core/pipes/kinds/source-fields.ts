import type { PipeDefinition } from '../../../contract/pipe/pipe.ts';
import type { Column } from '../../../ports/telemetry.ts';
import { columnType } from '../tables/column-type.ts';

/**
 * What the destination takes from a record, each field once, with the type of the first column that
 * takes it.
 */
export function sourceFields({
  destination,
  fieldMappings,
}: Pick<PipeDefinition, 'destination' | 'fieldMappings'>): Column[] {
  const sourceOf = new Map(
    fieldMappings.map(({ destinationField, sourceField }) => [destinationField, sourceField]),
  );
  const fields = new Map<string, string>();
  for (const { name, type } of destination.columns ?? []) {
    const field = sourceOf.get(name) ?? name;
    if (!fields.has(field)) {
      fields.set(field, columnType(type).text);
    }
  }
  return [...fields].map(([name, type]) => ({ name, type }));
}
