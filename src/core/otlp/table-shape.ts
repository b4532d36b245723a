import type { Column } from '../../ports/telemetry.ts';
import type { ColumnType } from './block/block.ts';

/**
 * Why rows as we write them do not fit a table, or undefined. The engine would convert them, and an
 * integer that is too large for a column of somebody else's table would lose its upper bits.
 */
export function misfit(
  table: readonly Column[],
  columns: readonly ColumnType[],
): string | undefined {
  const types = new Map(table.map(({ name, type }) => [name, type]));
  for (const { name, type: wanted } of columns) {
    const type = types.get(name);
    if (type === undefined) {
      return `it has no column ${name}`;
    }
    if (layoutOf(type) !== layoutOf(wanted)) {
      return `its column ${name} is ${type}, which is not ${wanted}`;
    }
  }
  return undefined;
}

function layoutOf(type: string): string {
  return type
    .replace(/LowCardinality\((\w+)\)/g, '$1')
    .replace(/DateTime64\(9(?:, '[^']*')?\)/g, 'Time')
    .replace(/\bUInt(\d+)\b/g, 'Int$1')
    .replace(/\bBool\b/g, 'Int8');
}
