import { operatorActions, type OperatorActions } from '../../src/core/identity/operator-actions.ts';
import type { StoredWorkspace } from '../../src/ports/store/identity-store.ts';
import type { ApiKit } from './api.ts';
import type { HttpAnswer } from './http.ts';

/** A further service of the first organization, with a database of its own. */
export interface TestService {
  workspace: StoredWorkspace;
  /** Calls under …/services/{serviceId}/pipes. */
  pipes(method: string, path: string, body?: object): Promise<HttpAnswer>;
}

/** What an operator does beside the running server. */
export interface TestOperator {
  actions: OperatorActions;
  newService(name: string): Promise<TestService>;
  /** Lists a database for these services. */
  share(database: string, services: readonly TestService[]): Promise<void>;
}

export function testOperator(api: ApiKit): TestOperator {
  const { store, clock, ids, vault } = api;
  const actions = operatorActions({ store, clock, ids, vault, actor: 'command line' });
  const { organizationId } = api.managed;
  return {
    actions,
    async newService(name) {
      const workspace = await actions.createService({
        organizationId,
        name,
        database: `of_${name}`,
      });
      const key = api.keyOf({ ...api.managed, serviceId: workspace.serviceId });
      const base = `/organizations/${organizationId}/services/${workspace.serviceId}/pipes`;
      return {
        workspace,
        pipes: (method, path, body) => key.call(method, `${base}${path}`, body ? { body } : {}),
      };
    },
    async share(database, services) {
      for (const { workspace } of services) {
        await actions.listDatabase(workspace, database);
      }
      api.identityChanged();
    },
  };
}
