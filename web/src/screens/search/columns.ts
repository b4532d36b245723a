import type { RowSource, SourceField } from '../../api/queries/sources.ts';
import { formatDuration } from '../../view/number-format.ts';
import { splitList } from '../../view/split-list.ts';

/** Columns that the source defines, in order; the time stands first in every table anyway. */
export function defaultColumns(source: RowSource): string[] {
  const text = source.defaultTableSelectExpression;
  const own = [
    source.serviceNameExpression,
    source.kind === 'log' ? source.severityTextExpression : source.statusCodeExpression,
    source.kind === 'log' ? source.bodyExpression : source.spanNameExpression,
  ].filter((name) => name !== undefined);
  const names = text === undefined ? own : splitList(text);
  return names.filter((name) => name !== source.timestampValueExpression);
}

/** Expression of the severity of logs or the status of spans. */
export function severityField(source: RowSource): string | undefined {
  return source.kind === 'log' ? source.severityTextExpression : source.statusCodeExpression;
}

/** The column that takes the room that is left: the message, or the last one. */
export function wideColumn(source: RowSource, columns: readonly string[]): string | undefined {
  const main = source.kind === 'log' ? source.bodyExpression : source.spanNameExpression;
  return columns.find((name) => name === main) ?? columns.at(-1);
}

/** Width of a column nobody has resized, in pixels. */
export function defaultWidth(name: string, source: RowSource): number {
  const base = name === severityField(source) || name === 'Duration' ? 80 : 140;
  return Math.min(Math.max(base, name.length * 7 + 36), 240);
}

/** Text of a value, as a cell shows it. */
export function cellText(value: unknown, name: string, source: RowSource | undefined): string {
  if (value === null || value === undefined) {
    return '';
  }
  if (typeof value === 'object') {
    return JSON.stringify(value);
  }
  if (isDuration(name, source)) {
    const unit = 10 ** (9 - (source.kind === 'trace' ? (source.durationPrecision ?? 9) : 9));
    return formatDuration(Number(value) * unit);
  }
  return String(value);
}

function isDuration(name: string, source: RowSource | undefined): source is RowSource {
  return source?.kind === 'trace' && source.durationExpression === name;
}

/** Milliseconds of a row, from the time in its `_id`. */
export function rowTimeMs(id: string): number {
  return Number(BigInt(id.slice(0, id.indexOf('-'))) / 1_000_000n);
}

/** A field that people may filter and group by, as completion and column lists show it. */
export function fieldHint({ type, kind }: SourceField): string {
  return kind === 'attribute' ? 'attribute' : type.replace(/LowCardinality\((.*)\)/, '$1');
}
