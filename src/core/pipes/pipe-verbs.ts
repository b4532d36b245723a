import { Fault, invalid, notFound } from '../../contract/errors.ts';
import {
  changePipeScaling,
  changePipeSettings,
  changePipeState,
  createPipe,
  deletePipe,
  getPipe,
  getPipeMetrics,
  getPipeSettings,
  listPipeErrors,
  listPipes,
  updatePipe,
  type Pipe,
} from '../../contract/pipe/pipe.ts';
import { mergePipeSettings } from '../../contract/pipe/settings.ts';
import type { PipeWish } from '../../ports/pipe-store.ts';
import type { Principal } from '../../ports/principal.ts';
import type { JsonObject, StoreParts, StoredDocument } from '../../ports/store.ts';
import { verb, type Outcome } from '../verb.ts';
import { kindOf, pipeRecord, storedPipe, type StoredPipe } from './definition.ts';
import type { PipesDependencies } from './dependencies.ts';
import { advanceLifecycle, isAtWork } from './lifecycle.ts';
import { pipeErrors, pipeMetrics } from './pipe-reports.ts';
import { createPipeDocument, updatePipeDocument } from './write-pipe.ts';

/** What callers may do with pipes, by operation name. `asked` is told when there is something for the readers of this process to look at. */
export function pipeVerbs(deps: PipesDependencies, asked: () => void = () => undefined) {
  const { store } = deps;
  const told = async <T>(change: Promise<T>): Promise<T> => {
    const done = await change;
    asked();
    return done;
  };

  const document = async (
    parts: StoreParts,
    principal: Principal,
    id: string,
  ): Promise<StoredDocument> => {
    const found = await parts.documents.get(principal.workspace.id, 'pipe', id);
    if (!found) {
      throw notFound('pipe');
    }
    return found;
  };
  const answer = async (principal: Principal, found: StoredDocument): Promise<Outcome<Pipe>> => ({
    value: pipeRecord(
      found,
      await store.pipes.status(principal.workspace.id, found.id),
      principal.workspace.serviceId,
    ),
    version: found.version,
  });
  /** Changes the stored definition and lets the readers look again. */
  const change = (
    principal: Principal,
    id: string,
    ifMatch: readonly number[] | undefined,
    to: (stored: StoredPipe) => StoredPipe,
  ): Promise<StoredDocument> =>
    told(
      store.transaction(async (parts) => {
        const before = await document(parts, principal, id);
        if (ifMatch && !ifMatch.includes(before.version)) {
          throw new Fault(
            'precondition_failed',
            'the pipe has changed since it was read: get it again and repeat the change',
          );
        }
        const after = await parts.documents.update(
          principal.workspace.id,
          'pipe',
          id,
          before.version,
          { body: to(storedPipe(before)) as unknown as JsonObject },
        );
        if (!after) {
          throw new Fault(
            'conflict',
            'the pipe was changed by somebody else at the same time: try again',
          );
        }
        await parts.pipes.ask(principal.workspace.id, id, {});
        return after;
      }),
    );

  return {
    listPipes: verb(listPipes, async ({ principal, query }) => {
      const { workspace } = principal;
      const [{ items, total }, statuses] = await Promise.all([
        store.documents.list(workspace.id, 'pipe', query),
        store.pipes.statuses(workspace.id),
      ]);
      const byId = new Map(statuses.map((status) => [status.pipeId, status]));
      return {
        value: items.map((item) => pipeRecord(item, byId.get(item.id), workspace.serviceId)),
        page: { total, ...query },
      };
    }),
    getPipe: verb(getPipe, async ({ principal, params }) =>
      answer(principal, await document(store, principal, params.pipeId)),
    ),
    createPipe: verb(createPipe, async ({ principal, body }) =>
      answer(principal, await told(createPipeDocument(deps, principal, body))),
    ),
    updatePipe: verb(updatePipe, async ({ principal, params, body, ifMatch }) =>
      answer(
        principal,
        await told(updatePipeDocument(deps, principal, params.pipeId, body, ifMatch)),
      ),
    ),
    deletePipe: verb(deletePipe, async ({ principal, params, ifMatch }) => {
      await told(
        store.transaction(async (parts) => {
          const { id, version, body, sealed } = await document(parts, principal, params.pipeId);
          if (ifMatch && !ifMatch.includes(version)) {
            throw new Fault(
              'precondition_failed',
              'the pipe has changed since it was read: get it again and repeat the change',
            );
          }
          await parts.pipes.part(principal.workspace.id, id, { body, sealed });
          await parts.documents.remove(principal.workspace.id, 'pipe', id, version);
        }),
      );
      return { value: undefined };
    }),
    changePipeState: verb(changePipeState, async ({ principal, params, body, ifMatch }) => {
      const found = await told(
        store.transaction(async (parts) => {
          const stored = await document(parts, principal, params.pipeId);
          if (ifMatch && !ifMatch.includes(stored.version)) {
            throw new Fault(
              'precondition_failed',
              'the pipe has changed since it was read: get it again and repeat the change',
            );
          }
          await command(parts, stored, body.command);
          return stored;
        }),
      );
      return answer(principal, found);
    }),
    changePipeScaling: verb(changePipeScaling, async ({ principal, params, body, ifMatch }) => {
      const sent = Object.fromEntries(
        Object.entries(body).filter(([, value]) => value !== undefined),
      );
      return answer(
        principal,
        await change(principal, params.pipeId, ifMatch, (stored) => ({
          ...stored,
          scaling: { ...stored.scaling, ...sent },
        })),
      );
    }),
    getPipeSettings: verb(getPipeSettings, async ({ principal, params }) => {
      const found = await document(store, principal, params.pipeId);
      return { value: storedPipe(found).settings, version: found.version };
    }),
    changePipeSettings: verb(changePipeSettings, async ({ principal, params, body, ifMatch }) => {
      const after = await change(principal, params.pipeId, ifMatch, (stored) => ({
        ...stored,
        settings: mergePipeSettings(body, stored.settings),
      }));
      return { value: storedPipe(after).settings, version: after.version };
    }),
    getPipeMetrics: verb(getPipeMetrics, async ({ principal, params }) => ({
      value: await pipeMetrics(store, await document(store, principal, params.pipeId)),
    })),
    listPipeErrors: verb(listPipeErrors, async ({ principal, params, query, signal }) =>
      pipeErrors(deps.telemetry, await document(store, principal, params.pipeId), query, signal),
    ),
  };
}

async function command(
  parts: StoreParts,
  document: StoredDocument,
  asked: 'start' | 'stop' | 'resync',
): Promise<void> {
  const { workspaceId, id } = document;
  const kind = kindOf(document);
  const status = await parts.pipes.status(workspaceId, id);
  if (!status) {
    throw notFound('pipe');
  }
  if (asked === 'resync' && kind !== 'postgres') {
    throw invalid([
      { path: 'command', message: `resync is for postgres pipes; this one's source is ${kind}` },
    ]);
  }
  if (asked === 'start' && status.wish === 'run' && isAtWork(status.state)) {
    throw invalid([{ path: 'command', message: 'the pipe is running already' }]);
  }
  const wish: PipeWish = asked === 'stop' ? 'stop' : 'run';
  const next = advanceLifecycle(kind, status, {
    kind: asked === 'stop' ? 'stop asked' : 'start asked',
  });
  if (asked === 'stop' && status.wish === 'stop' && !next) {
    return;
  }
  await parts.pipes.ask(workspaceId, id, {
    wish,
    ...(next ? { state: next.state } : {}),
    resync: asked === 'resync',
  });
}
