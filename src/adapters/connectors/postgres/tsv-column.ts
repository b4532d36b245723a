import type { Column } from '../../../ports/telemetry.ts';
import type { ColumnMapping } from './types/column-of.ts';
import type { PgType } from './types/pg-column.ts';
import { tsvOfJson } from './tsv-text.ts';

/**
 * How the text of a value becomes a field. `plain`: as it is. `escaped`: with its backslashes and control characters escaped. The others as they are where the
 * engine reads them, which a look at a few bytes tells, else by way of `convert`.
 */
export type Treatment = 'plain' | 'escaped' | 'decimal' | 'instant' | 'date' | 'coded';

export interface TsvColumn {
  column: Column;
  treatment: Treatment;
  /** With an offset from UTC in its text. A copy asks for it without: the engine reads it in half the time. */
  zoned: boolean;
  /** For what cannot go as it is: the text of one value, the field. */
  convert(text: string): string;
}

export function tsvColumn({ column, encode, wire }: ColumnMapping, type: PgType): TsvColumn {
  const floats = column.type.includes('Float');
  return {
    column,
    zoned: rootName(type) === 'timestamptz',
    treatment: wire === 'coded' ? codedTreatment(type) : wire === 'escaped' ? 'escaped' : 'plain',
    convert: (text) => tsvOfJson(encode(text), floats),
  };
}

function rootName(type: PgType): string | undefined {
  return type.kind === 'domain'
    ? rootName(type.base!)
    : type.kind === 'base'
      ? type.name
      : undefined;
}

function codedTreatment(type: PgType): Treatment {
  if (type.kind === 'domain') {
    return codedTreatment(type.base!);
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

/** Where the bytes `source[start, end)` end that may go as they are; -1: they must be converted. */
export function plainEnd(treatment: Treatment, source: Buffer, start: number, end: number): number {
  switch (treatment) {
    case 'decimal':
      return isDigit(source[end - 1]!) ? end : -1;
    case 'date':
      return end - start === 10 && inDateRange(source[start]!, source[start + 1]!) ? end : -1;
    case 'instant':
      // Four digits of a year, and not before Christ.
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
