import { param } from '../../view/url-state.ts';

/** What a new alert begins with. */
export interface NewAlertParams {
  savedSearchId?: string | undefined;
  dashboardId?: string | undefined;
  tileId?: string | undefined;
}

export const readNewAlertParams = (raw: Record<string, unknown>): NewAlertParams => ({
  savedSearchId: param.id(raw, 'savedSearchId'),
  dashboardId: param.id(raw, 'dashboardId'),
  tileId: param.id(raw, 'tileId'),
});
