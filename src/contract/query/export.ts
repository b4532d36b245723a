import { z } from 'zod';
import { NoParams, NoQuery } from '../common.ts';
import { operation } from '../operation.ts';
import { orderedRange } from './range.ts';
import { rowsToFind } from './search.ts';

export const ExportFormat = z.enum(['csv', 'ndjson']).meta({
  id: 'ExportFormat',
  description:
    '`csv`: RFC 4180 with a header line. `ndjson`: one JSON object a line, with the values that a ' +
    'search returns.',
});
export type ExportFormat = z.infer<typeof ExportFormat>;

export const ExportRequest = z
  .object({ ...rowsToFind, format: ExportFormat.default('csv') })
  .superRefine(orderedRange)
  .meta({ id: 'ExportRequest' });
export type ExportRequest = z.output<typeof ExportRequest>;

export const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
} as const satisfies Record<ExportFormat, string>;

export const exportRows = operation({
  name: 'exportRows',
  summary: 'Export rows of a source',
  tag: 'Search',
  scope: 'telemetry:query',
  object: { kind: 'search' },
  description:
    'Streams every row that matches as a file, in the order of a search and without `_id`. Rows with ' +
    'equal values and time come in any order. `X-Sightline-Row-Limit` is the maximum number of rows ' +
    '(1,000,000); the trailer `X-Sightline-Truncated: true` says that more rows match. ' +
    "In CSV, text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return gets a `'` in front. " +
    'If the export fails after its first byte, the connection ends without the last chunk: the part ' +
    'received is not the file. An `Idempotency-Key` has no effect.',
  params: NoParams,
  query: NoQuery,
  body: ExportRequest,
  result: z.undefined(),
  file: {
    'text/csv':
      'Timestamp,Body\r\n2026-01-01 00:00:12.345678900,timeout while talking to the payment provider\r\n',
    'application/x-ndjson':
      '{"Timestamp":"2026-01-01 00:00:12.345678900","Body":"timeout while talking to the payment provider"}\n',
  },
  faults: ['not_found', 'timeout'],
  example: {
    sourceId: '65f0c1d2e3a4b5c6d7e8f901',
    where: 'timeout',
    select: ['Timestamp', 'Body'],
    startTime: 1_767_225_600_000,
    endTime: 1_767_229_200_000,
    format: 'csv',
  },
});
