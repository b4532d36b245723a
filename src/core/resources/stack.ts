import type { Clock } from '../../ports/ambient.ts';
import { webhookVerbs, type WebhookDependencies } from './webhook.ts';

/** What the resources of a workspace need from outside. */
export interface StackDependencies extends WebhookDependencies {
  clock: Clock;
  /** Called after a credential, user or workspace was changed: caches of lookups drop what they know. */
  identityChanged: () => void;
}

/** Every verb over the objects of a workspace, by operation name; both surfaces mount the same ones. */
export function createStackVerbs(deps: StackDependencies) {
  return { ...webhookVerbs(deps) };
}

export type StackVerbs = ReturnType<typeof createStackVerbs>;
