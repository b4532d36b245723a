import { TelemetryError, type QueryResult, type Value } from '../../ports/telemetry.ts';

/** The output settings that the port's `Value` promises; the same text from both engines. */
export const outputSettings: Record<string, string> = {
  output_format_json_quote_64bit_integers: '1',
  output_format_json_quote_decimals: '1',
  output_format_json_quote_denormals: '0',
  output_format_json_named_tuples_as_objects: '1',
  date_time_output_format: 'simple',
};

interface Document {
  meta: { name: string; type: string }[];
  data: Value[][];
  statistics?: { elapsed: number; rows_read: number; bytes_read: number };
}

/** Reads one JSONCompact document. */
export function readCompactResult(text: string): QueryResult {
  let document: Document;
  try {
    document = JSON.parse(text) as Document;
  } catch (cause) {
    throw new TelemetryError('other', 'the engine returned an invalid JSON result', { cause });
  }
  const { elapsed = 0, rows_read = 0, bytes_read = 0 } = document.statistics ?? {};
  return {
    columns: document.meta,
    rows: document.data,
    rowsRead: rows_read,
    bytesRead: bytes_read,
    elapsedMs: elapsed * 1000,
  };
}
