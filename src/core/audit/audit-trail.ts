import { Fault } from '../../contract/errors.ts';
import type { AnyOperation, ObjectKind } from '../../contract/operation.ts';
import type { AuditEntry } from '../../ports/store/audit-store.ts';
import type { Clock, Ids, Log } from '../../ports/ambient.ts';
import type { Principal } from '../../ports/principal.ts';
import type { Store } from '../../ports/store/store.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import { AlreadyAnswered, createCommit, type Actor } from '../verb/change.ts';
import type { Outcome } from '../verb/outcome.ts';
import { SignInRefused } from '../verb/sign-in-refused.ts';
import {
  change,
  read,
  type ChangeVerb,
  type RawCall,
  type ReadVerb,
  type Verb,
} from '../verb/verb.ts';
import { RefusalRecorder, type Refusal, type RefusalLimits } from './audit-refusals.ts';

export interface AuditTrailDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Called after every committed change to credentials: caches of credentials forget them. */
  identityChanged?: () => void;
  limits?: Partial<RefusalLimits>;
}

/** A refused credential. `organizationId` and `key` are set if its owner is known. */
export interface RefusedCredential {
  organizationId?: string | undefined;
  key?: { id: string; name: string } | undefined;
  address?: string | undefined;
  requestId?: string | undefined;
  fault: Fault;
}

/** Changes to these objects are changes to credentials. */
const credentialObjects: ReadonlySet<ObjectKind> = new Set(['key', 'session', 'team', 'user']);

/**
 * Runs every call and puts it on record if it changes something or is not allowed. It hands a
 * changing call the only handle that writes: `commit`.
 */
export class AuditTrail {
  /** The store for verbs. */
  readonly store: StoreReader;
  readonly #deps: AuditTrailDeps;
  readonly #refusals: RefusalRecorder;

  constructor(deps: AuditTrailDeps) {
    this.store = deps.store;
    this.#deps = deps;
    this.#refusals = new RefusalRecorder(deps, deps.limits);
  }

  /**
   * Runs a verb. Answers without a promise if the verb does. @throws Fault, or rejects with one.
   */
  invoke(verb: Verb, raw: RawCall): Outcome<unknown> | Promise<Outcome<unknown>> {
    return verb.changes ? this.#change(verb, raw) : this.#read(verb, raw);
  }

  credentialRefused({ organizationId, key, address, requestId, fault }: RefusedCredential): void {
    this.#refusals.add({
      atMs: this.#deps.clock.now(),
      organizationId: organizationId ?? null,
      serviceId: null,
      actor: key
        ? { kind: 'key', id: key.id, name: key.name }
        : { kind: 'anonymous', id: null, name: null },
      operation: 'authenticate',
      object: { kind: 'credential', id: null },
      address: address ?? null,
      requestId: requestId ?? null,
      outcome: 'denied',
      code: fault.code,
    });
  }

  /** Writes the refusals that are still in memory. */
  flush(): Promise<void> {
    return this.#refusals.flush();
  }

  async #change(verb: ChangeVerb, raw: RawCall): Promise<Outcome<unknown>> {
    const { store, identityChanged } = this.#deps;
    const { operation } = verb;
    let committed = false;
    const commit = createCommit({
      store,
      line: (objectId, actor) => this.#success(operation, raw, objectId, actor),
      keepAnswer: raw.keepAnswer,
      committed: () => {
        committed = true;
        if (credentialObjects.has(operation.object.kind)) {
          identityChanged?.();
        }
      },
    });
    try {
      return await change(verb, raw, commit);
    } catch (error) {
      // A call that fails after its commit has its line already, and so has the first call of a key.
      if (!committed && !(error instanceof AlreadyAnswered)) {
        this.#refused(operation, raw, error);
      }
      throw error;
    }
  }

  #read(verb: ReadVerb, raw: RawCall): Outcome<unknown> | Promise<Outcome<unknown>> {
    const failed = (error: unknown): never => {
      if (codeOf(error) === 'forbidden') {
        this.#refused(verb.operation, raw, error);
      }
      throw error;
    };
    try {
      const outcome = read(verb, raw);
      if (verb.operation.showsSecret === true) {
        return this.#shown(verb, raw, outcome).catch(failed);
      }
      return outcome instanceof Promise ? outcome.catch(failed) : outcome;
    } catch (error) {
      return failed(error);
    }
  }

  /** The secret is answered after its audit line is stored, or not at all. */
  async #shown(
    { operation }: ReadVerb,
    raw: RawCall,
    outcome: Outcome<unknown> | Promise<Outcome<unknown>>,
  ): Promise<Outcome<unknown>> {
    const shown = await outcome;
    await this.#deps.store.audit.append([this.#success(operation, raw, idInPath(operation, raw))]);
    return shown;
  }

  #success(
    operation: AnyOperation,
    { principal, requestId }: RawCall,
    objectId: string | null,
    actor?: Actor,
  ): AuditEntry {
    const { ids, clock } = this.#deps;
    const call = { principal: { ...principal, ...actor }, requestId };
    return {
      ...lineOf(operation, call, clock.now(), objectId),
      id: ids.object(),
      outcome: 'success',
      code: null,
      count: 1,
    };
  }

  #refused(operation: AnyOperation, raw: RawCall, error: unknown): void {
    const code = codeOf(error);
    this.#refusals.add({
      ...lineOf(operation, raw, this.#deps.clock.now(), idInPath(operation, raw)),
      ...(error instanceof SignInRefused && error.account),
      outcome: code === 'forbidden' || code === 'unauthorized' ? 'denied' : 'failure',
      code,
    });
  }
}

const codeOf = (error: unknown): Fault['code'] =>
  error instanceof Fault ? error.code : 'internal';

function lineOf(
  operation: AnyOperation,
  { principal, requestId }: Pick<RawCall, 'principal' | 'requestId'>,
  atMs: number,
  objectId: string | null,
): Omit<Refusal, 'outcome' | 'code'> {
  const { workspace, address } = principal;
  return {
    atMs,
    organizationId: workspace.organizationId === '' ? null : workspace.organizationId,
    serviceId: workspace.serviceId === '' ? null : workspace.serviceId,
    actor: actorOf(principal),
    operation: operation.name,
    object: { kind: operation.object.kind, id: objectId },
    address: address ?? null,
    requestId,
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
    case 'anonymous':
      return { kind: 'anonymous', id: null, name: null };
  }
}

/**
 * The id in the path of a call whose input may be invalid. Only a well-formed id is put on record:
 * nothing else of a caller's text is.
 */
function idInPath({ object }: AnyOperation, { params }: RawCall): string | null {
  if (object.id === undefined) {
    return null;
  }
  const id = (params as Record<string, unknown> | undefined)?.[object.id];
  const isId = typeof id === 'string' && /^(?:[0-9a-f]{24}|[0-9a-f-]{36})$/i.test(id);
  return isId ? id.toLowerCase() : null;
}
