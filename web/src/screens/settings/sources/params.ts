import { param } from '../../../view/url-state.ts';

/** What the URL of the sources says. Without any, it is the list. */
export interface SourcesParams {
  /** Whether the form for a new source is open. */
  new?: true | undefined;
  /** The source that is open. */
  id?: string | undefined;
}

export const readSourcesParams = (raw: Record<string, unknown>): SourcesParams => ({
  new: param.flag(raw, 'new'),
  id: param.id(raw, 'id'),
});
