import { param } from '../../view/url-state.ts';

/** Parameters of a page that lists objects. */
export interface ListParams {
  /** Whether the form for a new object is open. */
  new?: true | undefined;
}

export const readListParams = (raw: Record<string, unknown>): ListParams => ({
  new: param.flag(raw, 'new'),
});
