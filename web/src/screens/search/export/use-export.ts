import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { openExport, type ExportRequest } from '../../../api/queries/export.ts';
import { toast } from '../../../kit/toast.tsx';
import { formatCount, plural } from '../../../view/number-format.ts';
import { RowCounter } from '../../../view/row-counter.ts';
import { fileWords, FileTooLarge, openSink } from '../../../view/save-file.ts';
import type { ReadyModel } from '../model.ts';

export type ExportFormat = 'csv' | 'ndjson';

/** How far an export is. */
export interface ExportProgress {
  format: ExportFormat;
  rows: number;
  bytes: number;
}

export interface Exporting {
  /** Undefined: none runs. */
  progress: ExportProgress | undefined;
  start(format: ExportFormat): Promise<void>;
  cancel(): void;
}

const mediaTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;
/** How often the progress is shown, in milliseconds. */
const showEveryMs = 250;

/** Saves every row that matches as a file. Leaving the screen cancels it. */
export function useExport(model: ReadyModel): Exporting {
  const [progress, setProgress] = useState<ExportProgress>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const start = async (format: ExportFormat): Promise<void> => {
    const request = exportRequest(model, format);
    const name = `${fileWords(model.source.name)}-${fileTime(request.startTime)}.${format}`;
    const sink = await openSink(name, mediaTypes[format]);
    if (!sink) {
      return;
    }
    const abort = new AbortController();
    running.current = abort;
    const counter = new RowCounter(format);
    let bytes = 0;
    let shownAt = 0;
    setProgress({ format, rows: 0, bytes });
    try {
      const { pieces, rowLimit } = await openExport(request, abort.signal);
      for await (const piece of piecesOf(pieces)) {
        counter.add(piece);
        bytes += piece.byteLength;
        await sink.write(piece);
        if (performance.now() - shownAt > showEveryMs) {
          shownAt = performance.now();
          setProgress({ format, rows: counter.rows, bytes });
        }
      }
      await sink.close();
      toast(doneText(counter.rows, rowLimit));
    } catch (error) {
      await sink.abort().catch(() => undefined);
      if (abort.signal.aborted) {
        toast('Export canceled. No file is kept.');
      } else {
        toast(failureText(error, counter.rows), 'error');
      }
      abort.abort();
    } finally {
      running.current = undefined;
      setProgress(undefined);
    }
  };
  return { progress, start, cancel: () => running.current?.abort() };
}

/** The shown columns after the time, in the shown order. */
export function exportRequest(model: ReadyModel, format: ExportFormat): ExportRequest {
  const { condition, source, columns, params } = model;
  return {
    ...condition,
    select: [...new Set([source.timestampValueExpression, ...columns])],
    ...(params.order !== undefined && { orderBy: params.order }),
    format,
  };
}

const fileTime = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');

function doneText(rows: number, limit: number): string {
  return rows < limit
    ? `${plural(rows, 'row')} exported.`
    : `The first ${formatCount(rows)} rows are exported, the limit of a file. Narrow the range for others.`;
}

function failureText(error: unknown, rows: number): string {
  if (error instanceof ApiError) {
    return `The export failed: ${error.message}`;
  }
  if (error instanceof FileTooLarge) {
    const stopped = `The export stopped after ${plural(rows, 'row')}: ${error.message}.`;
    return `${stopped} Narrow the range, or export with the API.`;
  }
  return `The export broke off after ${plural(rows, 'row')}, and no file is kept. Try again, or narrow the range.`;
}

/** Not every browser can iterate over a stream. */
async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    yield value;
  }
}
