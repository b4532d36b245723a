import { createHash } from 'node:crypto';
import { Fault } from '../contract/errors.ts';
import { alertVerbs, type AlertDependencies } from '../core/resources/alert.ts';
import { dashboardVerbs } from '../core/resources/dashboard.ts';
import { webhookVerbs, type WebhookDependencies } from '../core/resources/webhook.ts';
import type { AuditTrail } from '../core/audit/audit-trail.ts';
import type { Verb } from '../core/verb/verb.ts';
import {
  alertTileName,
  demoAlert,
  demoDashboard,
  demoWebhook,
  type DemoSources,
} from '../demo/dashboard.ts';
import type { DemoReceiver } from '../demo/receiver.ts';
import type { Ids } from '../ports/ambient.ts';
import type { DemoCaller, DemoObject } from '../ports/demo-shops.ts';

type Kind = DemoObject['kind'];
type Dependencies = AlertDependencies & WebhookDependencies;

/** In the order in which they are made: each needs those before it. */
const kinds = ['dashboard', 'webhook', 'alert'] as const satisfies readonly Kind[];

/**
 * The dashboard, the webhook and the alert of the demo. Their ids follow from the team's, so that
 * the demo knows its own objects after a restart and touches no other. They are made and deleted by
 * the verbs that any client uses, each with its own line on the audit trail.
 */
export class DemoObjects {
  readonly #deps: Dependencies;
  readonly #trail: AuditTrail;
  readonly #receiver: DemoReceiver;

  constructor(deps: Dependencies, trail: AuditTrail, receiver: DemoReceiver) {
    this.#deps = deps;
    this.#trail = trail;
    this.#receiver = receiver;
  }

  /** Those that exist. */
  async list(workspaceId: string): Promise<DemoObject[]> {
    const found = await Promise.all(
      kinds.map(async (kind) => {
        const stored = await this.#stored(kind, workspaceId);
        return stored && { kind, id: stored.id, name: stored.body.name ?? kind };
      }),
    );
    return found.filter((object) => object !== undefined);
  }

  /** Makes those that do not exist. @throws Fault */
  async make(caller: DemoCaller): Promise<void> {
    const { id: workspaceId } = caller.principal.workspace;
    const sources = await this.sources(workspaceId);
    await this.#ensure('dashboard', caller, demoDashboard(sources));
    await this.#ensure('webhook', caller, demoWebhook(this.#receiver.newUrl()));
    const url = (await this.#run(this.#verbs('webhook', workspaceId).get, caller, {
      id: idOf(workspaceId, 'webhook'),
    })) as { url: string };
    this.#receiver.listen(workspaceId, url.url);
    const dashboard = await this.#stored('dashboard', workspaceId);
    const tile = dashboard?.body.tiles.find(({ name }) => name === alertTileName);
    // Somebody may have removed the tile since.
    if (dashboard && tile) {
      await this.#ensure(
        'alert',
        caller,
        demoAlert({
          dashboardId: dashboard.id,
          tileId: tile.id,
          webhookId: idOf(workspaceId, 'webhook'),
        }),
      );
    }
  }

  /** Deletes those that exist. @throws Fault conflict if another alert uses the webhook */
  async remove(caller: DemoCaller): Promise<void> {
    const { id: workspaceId } = caller.principal.workspace;
    for (const kind of kinds.toReversed()) {
      if (await this.#stored(kind, workspaceId)) {
        const { remove } = this.#verbs(kind, workspaceId);
        await this.#run(remove, caller, { id: idOf(workspaceId, kind) });
      }
    }
  }

  /** The oldest source of each kind that the demo sends to. @throws Fault conflict without one */
  async sources(workspaceId: string): Promise<DemoSources> {
    const all = await this.#deps.store.documents.list(workspaceId, 'source', {
      limit: sourcesMax,
      offset: 0,
    });
    const oldestFirst = all.items.toSorted((one, two) => one.createdAtMs - two.createdAtMs);
    const idOfKind = (kind: string): string => {
      const source = oldestFirst.find(({ body }) => body.kind === kind);
      if (!source) {
        throw new Fault(
          'conflict',
          `The dashboard of the demo needs a source of the kind ${kind}. Create one, and try again.`,
        );
      }
      return source.id;
    };
    return { logs: idOfKind('log'), traces: idOfKind('trace'), metrics: idOfKind('metric') };
  }

  #stored<K extends Kind>(kind: K, workspaceId: string) {
    return this.#deps.store.documents.get(workspaceId, kind, idOf(workspaceId, kind));
  }

  async #ensure(kind: Kind, caller: DemoCaller, body: object): Promise<void> {
    const { id: workspaceId } = caller.principal.workspace;
    if (!(await this.#stored(kind, workspaceId))) {
      await this.#run(this.#verbs(kind, workspaceId).create, caller, {}, body);
    }
  }

  /** The verbs of a kind, with the ids of the demo. */
  #verbs(kind: Kind, workspaceId: string): Record<'create' | 'get' | 'remove', Verb> {
    const deps = { ...this.#deps, ids: idsOf(this.#deps.ids, workspaceId, kind) };
    switch (kind) {
      case 'dashboard': {
        const { createDashboard, getDashboard, deleteDashboard } = dashboardVerbs(deps);
        return { create: createDashboard, get: getDashboard, remove: deleteDashboard };
      }
      case 'webhook': {
        const { createWebhook, getWebhook, deleteWebhook } = webhookVerbs(deps);
        return { create: createWebhook, get: getWebhook, remove: deleteWebhook };
      }
      case 'alert': {
        const { createAlert, getAlert, deleteAlert } = alertVerbs(deps);
        return { create: createAlert, get: getAlert, remove: deleteAlert };
      }
    }
  }

  async #run(verb: Verb, caller: DemoCaller, params: object, body?: object): Promise<unknown> {
    const outcome = await this.#trail.invoke(verb, { ...caller, params, query: {}, body });
    return outcome.value;
  }
}

const sourcesMax = 1000;

/** The id of an object of the demo: it begins with the time of the team, as ids begin with a time. */
function idOf(workspaceId: string, kind: Kind): string {
  const hash = createHash('sha256').update(`demo ${kind} of ${workspaceId}`).digest('hex');
  return workspaceId.slice(0, 8) + hash.slice(0, 16);
}

/** Ids for one new object: first its own, then others for its parts. */
function idsOf(ids: Ids, workspaceId: string, kind: Kind): Ids {
  let own: string | undefined = idOf(workspaceId, kind);
  return {
    object: () => {
      const id = own ?? ids.object();
      own = undefined;
      return id;
    },
    uuid: () => ids.uuid(),
  };
}
