import type { DashboardInput } from '../../api/queries/dashboards.ts';
import type { TimeBound } from '../../view/time-range.ts';

/** A source that a file names and this team may not have. */
export interface WantedSource {
  id: string;
  name: string | undefined;
  kind: string | undefined;
  /** The name means nothing here: if the team has one source of the kind, that is it. */
  isAnyOfKind?: boolean;
}

/** Times between two refreshes that a dashboard can have. */
export const viewRefreshes = ['10s', '30s', '1m', '5m'] as const;

/** Parameters of the URL that a dashboard opens with. */
export interface DashboardView {
  from?: TimeBound;
  to?: TimeBound;
  every?: (typeof viewRefreshes)[number];
}

/** What a file would become. */
export interface ReadDashboard {
  input: DashboardInput;
  wanted: WantedSource[];
  /** What could not be carried over, a sentence each. */
  losses: string[];
  view?: DashboardView;
}
