import { AsyncLocalStorage } from 'node:async_hooks';
import { Fault } from '../../contract/errors.ts';
import type { AnyOperation } from '../../contract/operation.ts';
import type { AuditEntry } from '../../ports/audit-store.ts';
import type { Clock, Ids, Log } from '../../ports/ambient.ts';
import type { Principal } from '../../ports/principal.ts';
import type { Store } from '../../ports/store.ts';
import { invoke, type RawCall } from '../verb.ts';
import { observedStore } from './audit-observer.ts';
import { RefusalRecorder, type Refusal, type RefusalLimits } from './audit-refusals.ts';

export interface AuditTrailDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Called after every change to credentials, memberships and workspaces that went through `store` below. */
  identityChanged?: () => void;
  limits?: Partial<RefusalLimits>;
}

/** A credential that was refused. `organizationId` and `key` where it is known whose it would have been. */
export interface RefusedCredential {
  organizationId?: string | undefined;
  key?: { id: string; name: string } | undefined;
  address?: string | undefined;
  requestId?: string | undefined;
  fault: Fault;
}

export interface AuditTrail {
  /** The store to give to verbs: what a call changes through it commits together with the line about the call. */
  store: Store;
  /** `invoke` of core/verb.ts, on record: every call that may change something, and every call that was not allowed. */
  invoke: typeof invoke;
  credentialRefused(refused: RefusedCredential): void;
  /** Writes refusals that are still being gathered. */
  flush(): Promise<void>;
}

/** What is known of a call while it runs. */
interface Pending {
  operation: AnyOperation;
  raw: RawCall;
  written: boolean;
}

export function createAuditTrail(deps: AuditTrailDeps): AuditTrail {
  const { clock, ids } = deps;
  const running = new AsyncLocalStorage<Pending>();
  /** Of verbs that name their call: those need no context that follows every promise. */
  const named = new WeakMap<object, Pending>();
  const pendingOf = (call: object | undefined): Pending | undefined =>
    (call && named.get(call)) ?? running.getStore();
  let changing = 0;
  /** While it is in use every promise of the process costs more: reads should not pay for it. */
  const within = async <T>(pending: Pending, work: () => Promise<T>): Promise<T> => {
    changing++;
    try {
      return await running.run(pending, work);
    } finally {
      if (--changing === 0) {
        running.disable();
      }
    }
  };
  const refusals = new RefusalRecorder(deps, deps.limits);
  const entry = (pending: Pending, createdId: string | undefined): AuditEntry => ({
    ...lineOf(pending, clock.now()),
    id: ids.object(),
    outcome: 'success',
    code: null,
    count: 1,
    object: { kind: kindOf(pending.operation), id: namedId(pending) ?? createdId ?? null },
  });

  const store = observedStore(deps.store, {
    wantsTransaction: () => running.getStore()?.written === false,
    async written(parts, writes, call) {
      const pending = pendingOf(call);
      if (pending && !pending.written) {
        await parts.audit.append([
          entry(pending, writes.find(({ createdId }) => createdId !== undefined)?.createdId),
        ]);
      }
    },
    committed(writes, call) {
      const pending = pendingOf(call);
      if (pending) {
        pending.written = true;
      }
      if (writes.some(({ part }) => part === 'identity')) {
        deps.identityChanged?.();
      }
    },
  });

  const refused = (pending: Pending, error: unknown): unknown => {
    const code = error instanceof Fault ? error.code : 'internal';
    if (!pending.written && (changesSomething(pending) || code === 'forbidden')) {
      refusals.add({
        ...lineOf(pending, clock.now()),
        outcome: code === 'forbidden' ? 'denied' : 'failure',
        code,
      });
    }
    return error;
  };
  const change = async <T>(
    pending: Pending,
    work: () => Promise<T>,
    namesItsCall: boolean,
  ): Promise<T> => {
    try {
      const outcome = await (namesItsCall ? work() : within(pending, work));
      if (!pending.written) {
        await deps.store.audit.append([entry(pending, undefined)]);
      }
      return outcome;
    } catch (error) {
      throw refused(pending, error);
    }
  };
  const look = <T>(pending: Pending, work: () => T | Promise<T>): T | Promise<T> => {
    try {
      const outcome = work();
      return outcome instanceof Promise
        ? outcome.catch((error: unknown) => {
            throw refused(pending, error);
          })
        : outcome;
    } catch (error) {
      throw refused(pending, error);
    }
  };

  return {
    store,
    invoke(target, raw) {
      const pending: Pending = { operation: target.operation as AnyOperation, raw, written: false };
      if (!changesSomething(pending)) {
        return look(pending, () => invoke(target, raw));
      }
      if (target.namesItsCall) {
        named.set(raw, pending);
      }
      return change(pending, async () => invoke(target, raw), target.namesItsCall === true);
    },
    credentialRefused: ({ organizationId, key, address, requestId, fault }) =>
      refusals.add({
        atMs: clock.now(),
        organizationId: organizationId ?? null,
        serviceId: null,
        actor: key ? { kind: 'key', id: key.id, name: key.name } : nobody,
        operation: 'authenticate',
        object: { kind: 'credential', id: null },
        address: address ?? null,
        requestId: requestId ?? null,
        outcome: 'denied',
        code: fault.code,
      }),
    flush: () => refusals.flush(),
  };
}

const changesSomething = ({ operation }: Pending): boolean => operation.scope.endsWith(':write');

const nobody: AuditEntry['actor'] = { kind: 'anonymous', id: null, name: null };

function lineOf(pending: Pending, atMs: number): Omit<Refusal, 'outcome' | 'code'> {
  const { operation, raw } = pending;
  const { workspace, address } = raw.principal;
  return {
    atMs,
    organizationId: workspace.organizationId,
    serviceId: workspace.serviceId === '' ? null : workspace.serviceId,
    actor: actorOf(raw.principal),
    operation: operation.name,
    object: { kind: kindOf(operation), id: namedId(pending) ?? null },
    address: address ?? null,
    requestId: raw.requestId,
  };
}

function actorOf({ subject }: Principal): AuditEntry['actor'] {
  switch (subject.kind) {
    case 'user':
      return { kind: 'user', id: subject.id, name: subject.email };
    case 'key':
      return { kind: 'key', id: subject.id, name: subject.name };
    case 'system':
      return { kind: 'system', id: subject.id, name: null };
  }
}

/** `Saved searches` → `savedSearch`: the resource that an operation belongs to, as one word. */
function kindOf({ tag }: AnyOperation): string {
  const singular = tag.replace(/(?:(?<=s|sh|ch|x)es|s)$/, '');
  return singular.toLowerCase().replace(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The id in the path, where it is one: nothing else of a caller's text gets on record. */
function namedId({ operation, raw }: Pending): string | undefined {
  const params = raw.params as Record<string, unknown> | undefined;
  const ids = Object.keys(operation.params.shape).map((name) => params?.[name]);
  return ids
    .find(
      (id): id is string => typeof id === 'string' && /^(?:[0-9a-f]{24}|[0-9a-f-]{36})$/i.test(id),
    )
    ?.toLowerCase();
}
