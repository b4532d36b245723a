import type { Column } from '../../../../ports/telemetry.ts';
import type { ColumnMapping } from '../types/column-of.ts';
import { baseOf, type PgType } from '../types/pg-column.ts';
import { tsvOfJson } from './tsv-text.ts';

/**
 * How the text of a value becomes a field. `plain`: unchanged. `escaped`: with its backslashes and
 * control characters escaped. The others: unchanged if a few bytes show that the engine reads the
 * text, otherwise through `convert`.
 */
export type Treatment = 'plain' | 'escaped' | 'decimal' | 'instant' | 'date' | 'coded';

export interface TsvColumn {
  column: Column;
  treatment: Treatment;
  /** Converts the text of one value to a field, if the text cannot be used unchanged. */
  convert(text: string): string;
}

export function tsvColumn({ column, encode, wire }: ColumnMapping, type: PgType): TsvColumn {
  const floats = column.type.includes('Float');
  return {
    column,
    treatment: treatmentOf(wire, type),
    convert: (text) => tsvOfJson(encode(text), floats),
  };
}

function treatmentOf(wire: ColumnMapping['wire'], type: PgType): Treatment {
  if (wire === 'coded') {
    return codedTreatment(type);
  }
  return wire === 'escaped' ? 'escaped' : 'plain';
}

function codedTreatment(type: PgType): Treatment {
  if (type.kind === 'domain') {
    return codedTreatment(baseOf(type));
  }
  if (type.kind !== 'base') {
    return 'coded';
  }
  switch (type.name) {
    // The engine reads `t`, `NaN` and `-Infinity` itself.
    case 'bool':
    case 'float4':
    case 'float8':
      return 'plain';
    case 'numeric':
      return 'decimal';
    case 'timestamp':
    case 'timestamptz':
      return 'instant';
    case 'date':
      return 'date';
    default:
      return 'coded';
  }
}

/**
 * The end of the bytes from `start` that can be used unchanged; -1 if the value must be converted.
 * `!` here: a checked read costs time for each value of each row.
 */
export function plainEnd(treatment: Treatment, source: Buffer, start: number, end: number): number {
  switch (treatment) {
    case 'decimal':
      return isDigit(source[end - 1]!) ? end : -1;
    case 'date':
      return end - start === 10 && inDateRange(source[start]!, source[start + 1]!) ? end : -1;
    case 'instant':
      // A year of four digits, and not BC.
      if (source[start + 4] !== 0x2d || source[end - 1] === 0x43) {
        return -1;
      }
      return source[end - 3] === 0x2b && source[end - 2] === 0x30 && source[end - 1] === 0x30
        ? end - 3
        : end;
    case 'coded':
      return -1;
    default:
      return end;
  }
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
/** The years 1900 to 2299. */
const inDateRange = (first: number, second: number): boolean =>
  (first === 0x31 && second === 0x39) || (first === 0x32 && second >= 0x30 && second <= 0x32);
