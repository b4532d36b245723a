import { alertVerbs, type AlertDependencies } from './alert.ts';
import { chartVerbs, type ChartDependencies } from './chart.ts';
import { dashboardVerbs } from './dashboard.ts';
import { savedSearchVerbs } from './saved-search.ts';
import { sourceVerbs, type SourceDependencies } from './source.ts';
import { teamVerbs, type TeamDependencies } from './team.ts';
import { webhookVerbs, type WebhookDependencies } from './webhook.ts';

/** What the resources of a workspace need from outside. */
export type StackDependencies = AlertDependencies &
  ChartDependencies &
  SourceDependencies &
  TeamDependencies &
  WebhookDependencies;

/** Every verb over the objects of a workspace, by operation name; both surfaces mount the same ones. */
export function createStackVerbs(deps: StackDependencies) {
  return {
    ...alertVerbs(deps),
    ...chartVerbs(deps),
    ...dashboardVerbs(deps),
    ...savedSearchVerbs(deps),
    ...sourceVerbs(deps),
    ...teamVerbs(deps),
    ...webhookVerbs(deps),
  };
}

export type StackVerbs = ReturnType<typeof createStackVerbs>;
