import { ApiError } from '../../api/api-error.ts';
import type { RowsRequest } from '../../api/queries/search.ts';
import { severityField } from './columns.ts';
import type { ReadyModel } from './model.ts';

/** The request for the rows of the table, with the columns that rows need beside the shown ones. */
export function rowsRequest({ condition, source, columns, params }: ReadyModel): RowsRequest {
  const hidden = [severityField(source), source.traceIdExpression, source.spanIdExpression].filter(
    (name) => name !== undefined,
  );
  return {
    ...condition,
    select: [...new Set([...columns, ...hidden])],
    ...(params.order !== undefined && { orderBy: params.order }),
  };
}

/** The API's message about the question, without the name of the field; undefined for other errors. */
export function issueOf(error: Error | null): string | undefined {
  if (!(error instanceof ApiError) || error.status !== 400) {
    return undefined;
  }
  return error.issueAt('where') ?? error.message;
}
