import type { Column, Value } from '../../../../ports/telemetry.ts';
import { ColumnTypeError, recordColumnType } from '../../tables/column-type.ts';
import type { ProposedField } from './proposed-columns.ts';
import { typeOfTexts } from './value-type.ts';

/**
 * The fields that the engine found, with the types for their columns: not Nullable if no row has a
 * NULL, and narrower than String if the form of all texts is unambiguous.
 */
export function engineFields(
  columns: readonly Column[],
  rows: readonly (readonly Value[])[],
  { isText, hasPaths }: { isText: boolean; hasPaths: boolean },
): ProposedField[] {
  return columns.flatMap(({ name, type }, index) => {
    if (hasPaths && name.includes('.')) {
      return [];
    }
    const values = rows.map((row) => row[index] ?? null);
    const present = values.filter((value) => value !== null);
    const plain = storable(/^Nullable\((.*)\)$/s.exec(type)?.[1] ?? type);
    const texts = present.filter((value) => typeof value === 'string');
    const narrow = isText && plain === 'String' ? typeOfTexts(texts) : plain;
    const canBeNull = type.startsWith('Nullable(') && present.length < values.length;
    return [{ path: name, type: canBeNull ? `Nullable(${narrow})` : narrow }];
  });
}

/** A type that a pipe can load. The engine has types for values that it has not seen. */
function storable(type: string): string {
  if (/\bNothing\b/.test(type)) {
    return type.startsWith('Array(') ? 'Array(String)' : 'String';
  }
  if (/\b(?:JSON|Object|Dynamic|Variant)\b/.test(type)) {
    return 'String';
  }
  try {
    return recordColumnType(type).text;
  } catch (error) {
    if (error instanceof ColumnTypeError) {
      return 'String';
    }
    throw error;
  }
}
