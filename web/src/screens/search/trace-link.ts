import type { RowSource } from '../../api/queries/sources.ts';
import { rowTimeMs } from './columns.ts';

/** Where the trace of a row is shown: parts of the route `/traces/{traceId}`. */
export interface TraceLink {
  traceId: string;
  /** Time of the row, in milliseconds: where to look. */
  at: number;
  span: string | undefined;
}

/** Undefined: the row belongs to no trace. */
export function traceLink(
  row: Record<string, unknown>,
  id: string,
  { traceIdExpression, spanIdExpression }: RowSource,
): TraceLink | undefined {
  const text = (name: string | undefined): string | undefined => {
    const value = name === undefined ? undefined : row[name];
    return typeof value === 'string' && /[^0]/.test(value) ? value : undefined;
  };
  const traceId = text(traceIdExpression);
  return traceId === undefined
    ? undefined
    : { traceId, at: Math.floor(rowTimeMs(id)), span: text(spanIdExpression) };
}
