import { param } from '../../../view/url-state.ts';

/** What the URL of maintenance windows says. */
export interface MaintenanceParams {
  /** The form of a new window. */
  new?: true | undefined;
  /** The window that is edited. */
  edit?: string | undefined;
}

export function readMaintenanceParams(raw: Record<string, unknown>): MaintenanceParams {
  return { new: param.flag(raw, 'new'), edit: param.id(raw, 'edit') };
}
