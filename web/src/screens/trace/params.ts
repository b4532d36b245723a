import { param } from '../../view/url-state.ts';
import { readView } from './model/view.ts';

/** What the URL of a trace says. */
export interface TraceParams {
  /** Id of the open span. */
  span?: string | undefined;
  /** A time near the trace, in milliseconds: where to look. */
  at?: number | undefined;
  /** As `writeView` writes it. */
  view?: string | undefined;
}

/** Writes changes to the URL: in place of the one before, or as a new entry that Back leaves. */
export type Show = (changes: Partial<TraceParams>, replace?: boolean) => void;

/** Reads the search of a URL. Broken values become undefined. */
export function readTraceParams(raw: Record<string, unknown>): TraceParams {
  const at = param.bound(raw, 'at');
  const view = param.text(raw, 'view', 64);
  return {
    span: param.text(raw, 'span', 256),
    at: typeof at === 'number' ? at : undefined,
    view: view !== undefined && readView(view) ? view : undefined,
  };
}
