import { param } from '../../view/url-state.ts';

/** What the URL of the list of dashboards says. */
export interface DashboardsParams {
  tag?: string | undefined;
  find?: string | undefined;
  /** The form for a new dashboard is open. */
  new?: true | undefined;
  /** The form for a file is open. */
  import?: true | undefined;
}

export function readDashboardsParams(raw: Record<string, unknown>): DashboardsParams {
  return {
    tag: param.text(raw, 'tag', 32),
    find: param.text(raw, 'find', 200),
    new: param.flag(raw, 'new'),
    import: param.flag(raw, 'import'),
  };
}
