import type { z } from 'zod';
import type { IdParams, NoBody, NoParams, NoQuery, PageQuery } from '../../contract/common.ts';
import { Fault, invalid, notFound, type Issue } from '../../contract/errors.ts';
import type { ChangeOperation, ReadOperation } from '../../contract/operation.ts';
import type { Ids } from '../../ports/ambient.ts';
import type { Principal } from '../../ports/principal.ts';
import type {
  DocumentKind,
  DocumentPage,
  StoredDocument,
} from '../../ports/store/document-store.ts';
import type { StoreReader, StoreWriter } from '../../ports/store/store-access.ts';
import { draftIssues, validReferences, type Draft, type DraftContext } from './draft.ts';
import { changeVerb, readVerb, type ChangeVerb, type ReadVerb, type Verb } from './verb.ts';

/** What a resource may use after a change or before a deletion, inside the transaction. */
export interface ChangeContext extends DraftContext {
  parts: Pick<StoreWriter, 'documents'>;
}

/** What lists can ask for; which of it depends on the operation. */
export interface ListQuery extends DocumentPage {
  /** Number of last evaluations with each alert. */
  recent?: number | undefined;
}

/** What is particular to one resource; the engine below does the rest alike for all. */
export interface Resource<K extends DocumentKind, Input, Change, Item> {
  kind: K;
  /** For messages: `webhook`. */
  noun: string;
  /**
   * Documents as callers see them, in the same order. Does nothing but read `parts`.
   * @param query of a list; absent for one document
   */
  present(
    stored: readonly StoredDocument<K>[],
    principal: Principal,
    parts: Pick<StoreReader, 'alerts' | 'nowMs'>,
    query?: ListQuery,
  ): Item[] | Promise<Item[]>;
  /**
   * Issues found outside the store (addresses, engine), before the transaction. `id` is the document
   * to change.
   */
  inputIssues?(input: Input | Change, principal: Principal, id?: string): Promise<readonly Issue[]>;
  compose(input: Input, context: DraftContext): Draft<K> | Promise<Draft<K>>;
  amend(
    change: Change,
    stored: StoredDocument<K>,
    context: DraftContext,
  ): Draft<K> | Promise<Draft<K>>;
  /** After a change, in its transaction: what else has to go. */
  amended?(
    before: StoredDocument<K>,
    after: StoredDocument<K>,
    context: ChangeContext,
  ): Promise<void>;
  /** Before a deletion, in its transaction: removes what goes with it, or refuses. */
  release?(stored: StoredDocument<K>, context: ChangeContext): Promise<void>;
}

type ListOperation = ReadOperation<typeof NoParams, typeof PageQuery, typeof NoBody>;
type CreateOperation = ChangeOperation<typeof NoParams, typeof NoQuery>;
type GetOperation = ReadOperation<typeof IdParams, typeof NoQuery, typeof NoBody>;
type UpdateOperation = ChangeOperation<typeof IdParams, typeof NoQuery>;
type RemoveOperation = ChangeOperation<
  typeof IdParams,
  typeof NoQuery,
  typeof NoBody,
  z.ZodUndefined
>;

/** The five operations every resource has. */
export interface CrudOperations {
  list: ListOperation;
  create: CreateOperation;
  get: GetOperation;
  update: UpdateOperation;
  remove: RemoveOperation;
}

type ResourceOf<Ops extends CrudOperations, K extends DocumentKind> = Resource<
  K,
  z.output<Ops['create']['body']>,
  z.output<Ops['update']['body']>,
  z.input<Ops['get']['result']>
>;
type CrudVerbs<Ops extends CrudOperations> = { [K in keyof CrudOperations]: Verb<Ops[K]> };

export interface CrudDependencies {
  store: StoreReader;
  ids: Ids;
}

/**
 * Create, list, get, update and delete of one kind of document, scoped to the caller's workspace.
 */
export function crudVerbs<Ops extends CrudOperations, K extends DocumentKind>(
  operations: Ops,
  resource: ResourceOf<Ops, K>,
  deps: CrudDependencies,
): CrudVerbs<Ops> {
  const verbs: CrudVerbs<CrudOperations> = {
    list: listVerb(operations.list, resource, deps),
    create: createVerb(operations.create, resource, deps),
    get: getVerb(operations.get, resource, deps),
    update: updateVerb(operations.update, resource, deps),
    remove: removeVerb(operations.remove, resource),
  };
  // The verbs know operations by their shape only; names and exact schemas are the caller's.
  return verbs as unknown as CrudVerbs<Ops>;
}

function listVerb<K extends DocumentKind, Input, Change, Item>(
  operation: ListOperation,
  resource: Resource<K, Input, Change, Item>,
  { store }: CrudDependencies,
): ReadVerb<ListOperation> {
  return readVerb(operation, async ({ principal, query }) => {
    const { items, total } = await store.documents.list(
      principal.workspace.id,
      resource.kind,
      query,
    );
    return {
      value: await resource.present(items, principal, store, query),
      page: { total, limit: query.limit, offset: query.offset },
    };
  });
}

function getVerb<K extends DocumentKind, Input, Change, Item>(
  operation: GetOperation,
  resource: Resource<K, Input, Change, Item>,
  { store }: CrudDependencies,
): ReadVerb<GetOperation> {
  return readVerb(operation, ({ principal, params }) =>
    whenKnown(store.documents.get(principal.workspace.id, resource.kind, params.id), (stored) => {
      if (!stored) {
        throw notFound(resource.noun);
      }
      return presentOne(resource, stored, principal, store);
    }),
  );
}

function createVerb<K extends DocumentKind, Input, Change, Item>(
  operation: CreateOperation,
  resource: Resource<K, Input, Change, Item>,
  { store, ids }: CrudDependencies,
): ChangeVerb<CreateOperation> {
  const { kind, noun } = resource;
  return changeVerb(operation, async ({ principal, body, commit }) => {
    const input = body as Input;
    const id = ids.object();
    const issues = (await resource.inputIssues?.(input, principal)) ?? [];
    if (issues.length > 0) {
      throw await allIssues(store, principal, issues, async () =>
        resource.compose(input, { parts: store, principal, id }),
      );
    }
    return commit(id, async (parts) => {
      const draft = await resource.compose(input, { parts, principal, id });
      const references = await validReferences(parts, principal, draft);
      const stored = await namingConflict(noun, draft, () =>
        parts.documents.insert(principal.workspace.id, {
          ...draft,
          kind,
          id,
          references: references ?? [],
        }),
      );
      return presentOne(resource, stored, principal, parts);
    });
  });
}

function updateVerb<K extends DocumentKind, Input, Change, Item>(
  operation: UpdateOperation,
  resource: Resource<K, Input, Change, Item>,
  { store }: CrudDependencies,
): ChangeVerb<UpdateOperation> {
  const { kind, noun } = resource;
  return changeVerb(operation, async ({ principal, params: { id }, body, ifMatch, commit }) => {
    const change = body as Change;
    const issues = (await resource.inputIssues?.(change, principal, id)) ?? [];
    if (issues.length > 0) {
      const before = await current(resource, { parts: store, principal, id }, ifMatch);
      throw await allIssues(store, principal, issues, async () =>
        resource.amend(change, before, { parts: store, principal, id }),
      );
    }
    return commit(id, (parts) =>
      untilSettled(noun, async () => {
        const context = { parts, principal, id };
        const before = await current(resource, context, ifMatch);
        const draft = await resource.amend(change, before, context);
        const references = await validReferences(parts, principal, draft);
        const after = await namingConflict(noun, draft, () =>
          parts.documents.update(principal.workspace.id, kind, id, before.version, {
            ...draft,
            ...(references && { references }),
          }),
        );
        if (!after) {
          return undefined;
        }
        await resource.amended?.(before, after, context);
        return presentOne(resource, after, principal, parts);
      }),
    );
  });
}

function removeVerb<K extends DocumentKind, Input, Change, Item>(
  operation: RemoveOperation,
  resource: Resource<K, Input, Change, Item>,
): ChangeVerb<RemoveOperation> {
  const { kind, noun } = resource;
  return changeVerb(operation, async ({ principal, params: { id }, ifMatch, commit }) => {
    return commit(id, (parts) =>
      untilSettled(noun, async () => {
        const context = { parts, principal, id };
        const stored = await current(resource, context, ifMatch);
        await resource.release?.(stored, context);
        const { workspace } = principal;
        const removed = await parts.documents.remove(workspace.id, kind, id, stored.version);
        return removed ? { value: undefined } : undefined;
      }),
    );
  });
}

function presentOne<K extends DocumentKind, Input, Change, Item>(
  resource: Resource<K, Input, Change, Item>,
  stored: StoredDocument<K>,
  principal: Principal,
  parts: Pick<StoreReader, 'alerts' | 'nowMs'>,
) {
  return whenKnown(resource.present([stored], principal, parts), ([value]) => ({
    value,
    version: stored.version,
  }));
}

/** The document that a change is about, if the caller accepts its version. @throws Fault */
async function current<K extends DocumentKind, Input, Change, Item>(
  { kind, noun }: Resource<K, Input, Change, Item>,
  { parts, principal, id }: DraftContext,
  ifMatch: readonly number[] | undefined,
): Promise<StoredDocument<K>> {
  const stored = await parts.documents.get(principal.workspace.id, kind, id);
  if (!stored) {
    throw notFound(noun);
  }
  if (ifMatch && !ifMatch.includes(stored.version)) {
    throw stale(noun);
  }
  return stored;
}

/** Runs a write. If another document has the draft's name, the conflict names kind and name. */
async function namingConflict<T>(noun: string, draft: Draft, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (draft.uniqueKey != null && error instanceof Fault && error.code === 'conflict') {
      const { body } = draft;
      const service = 'service' in body ? ` for the service ${body.service}` : '';
      throw new Fault(
        'conflict',
        `A ${noun} named ${JSON.stringify(body.name)} already exists${service}.`,
        { cause: error },
      );
    }
    throw error;
  }
}

/** Calls `then` at once if the value is not a promise. */
export function whenKnown<T, U>(
  value: T | Promise<T>,
  then: (known: T) => U | Promise<U>,
): U | Promise<U> {
  return value instanceof Promise ? value.then(then) : then(value);
}

export const stale = (noun: string): Fault =>
  new Fault(
    'precondition_failed',
    `the ${noun} has changed since it was read: get it again and repeat the change`,
  );

/**
 * Repeats an attempt whose version moved between the read and the write, which is possible on
 * PostgreSQL: the last write wins.
 */
export async function untilSettled<T>(
  noun: string,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  for (let tries = 0; tries < 5; tries++) {
    const result = await attempt();
    if (result !== undefined) {
      return result;
    }
  }
  throw new Fault('conflict', `other requests keep changing the ${noun}: try again`);
}

/** The issues found before the transaction and those of its draft: one answer names them all. */
async function allIssues(
  store: Pick<StoreReader, 'documents'>,
  principal: Principal,
  known: readonly Issue[],
  draft: () => Promise<Draft>,
): Promise<Fault> {
  try {
    return invalid([...known, ...(await draftIssues(store, principal, await draft()))]);
  } catch (error) {
    if (error instanceof Fault && error.code === 'bad_request' && error.issues) {
      return invalid([...known, ...error.issues]);
    }
    throw error;
  }
}
