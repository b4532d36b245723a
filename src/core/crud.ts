import type { z } from 'zod';
import type { IdParams, NoBody, NoParams, NoQuery, PageQuery } from '../contract/common.ts';
import { Fault, invalid, notFound, type Issue } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import type { Ids } from '../ports/ambient.ts';
import type { Principal } from '../ports/principal.ts';
import type {
  DocumentKind,
  JsonObject,
  Reference,
  Store,
  StoreParts,
  StoredDocument,
} from '../ports/store.ts';
import { verb, type Verb } from './verb.ts';

/** A document as a resource wants it stored. */
export interface Draft {
  body: JsonObject;
  /** Vault text; absent in a change: kept. */
  sealed?: string | null;
  uniqueKey?: string | null;
  /** What it points at, with the place in the caller's input that says so. All must exist. Absent in a change: kept. */
  references?: readonly PlacedReference[];
  /** What is wrong with it: any refuses it, together with references that do not exist. */
  issues?: readonly Issue[];
}

export interface PlacedReference extends Reference {
  path: string;
}

/** What a resource may use while it drafts: it runs inside the transaction, so nothing but reads of `parts`. */
export interface DraftContext {
  parts: StoreParts;
  principal: Principal;
  /** Of the document itself. */
  id: string;
}

/** What is particular to one resource; the engine below does the rest alike for all. */
export interface Resource<Input, Change, Item> {
  kind: DocumentKind;
  /** For messages: `webhook`. */
  noun: string;
  /** Documents as callers see them, in the same order. */
  present(stored: readonly StoredDocument[], principal: Principal): Item[] | Promise<Item[]>;
  /** Checks against the world outside the store (addresses, engine), before the transaction: what is wrong. `id`: of the document to be changed. */
  admit?(input: Input | Change, principal: Principal, id?: string): Promise<readonly Issue[]>;
  compose(input: Input, context: DraftContext): Draft | Promise<Draft>;
  amend(change: Change, stored: StoredDocument, context: DraftContext): Draft | Promise<Draft>;
  /** After a change, in its transaction: what else has to go. */
  amended?(before: StoredDocument, after: StoredDocument, context: DraftContext): Promise<void>;
  /** Before a deletion, in its transaction: removes what goes with it, or refuses. */
  release?(stored: StoredDocument, context: DraftContext): Promise<void>;
}

/** The five operations every resource has. */
export interface CrudOperations {
  list: Operation<typeof NoParams, typeof PageQuery, typeof NoBody>;
  create: Operation<typeof NoParams, typeof NoQuery>;
  get: Operation<typeof IdParams, typeof NoQuery, typeof NoBody>;
  update: Operation<typeof IdParams, typeof NoQuery>;
  remove: Operation<typeof IdParams, typeof NoQuery, typeof NoBody, z.ZodUndefined>;
}

type ResourceOf<Ops extends CrudOperations> = Resource<
  z.output<Ops['create']['body']>,
  z.output<Ops['update']['body']>,
  z.input<Ops['get']['result']>
>;
type CrudVerbs<Ops extends CrudOperations> = { [K in keyof CrudOperations]: Verb<Ops[K]> };

export interface CrudDependencies {
  store: Store;
  ids: Ids;
}

/** Create, list, get, update and delete of one kind of document, scoped to the caller's workspace. */
export function crudVerbs<Ops extends CrudOperations>(
  operations: Ops,
  resource: ResourceOf<Ops>,
  { store, ids }: CrudDependencies,
): CrudVerbs<Ops> {
  const { kind, noun } = resource;

  const list = verb(operations.list, async ({ principal, query }) => {
    const { items, total } = await store.documents.list(principal.workspace.id, kind, query);
    return {
      value: await resource.present(items, principal),
      page: { total, limit: query.limit, offset: query.offset },
    };
  });

  const create = verb(
    operations.create,
    async ({ principal, body, raw }) => {
      const input = body as z.output<Ops['create']['body']>;
      const id = ids.object();
      const found = (await resource.admit?.(input, principal)) ?? [];
      if (found.length > 0) {
        throw await allIssues(store, principal, found, async () =>
          resource.compose(input, { parts: store, principal, id }),
        );
      }
      const stored = await store.transaction(async (parts) => {
        const draft = await resource.compose(input, { parts, principal, id });
        const references = await settle(parts, principal, draft);
        return parts.documents.insert(principal.workspace.id, {
          ...draft,
          kind,
          id,
          references: references ?? [],
        });
      }, raw);
      return present(stored, principal);
    },
    { namesItsCall: true },
  );

  const get = verb(operations.get, ({ principal, params }) =>
    whenKnown(store.documents.get(principal.workspace.id, kind, params.id), (stored) => {
      if (!stored) {
        throw notFound(noun);
      }
      return present(stored, principal);
    }),
  );

  const update = verb(
    operations.update,
    async ({ principal, params, body, ifMatch, raw }) => {
      const change = body as z.output<Ops['update']['body']>;
      const found = (await resource.admit?.(change, principal, params.id)) ?? [];
      if (found.length > 0) {
        const before = await current(store, principal, params.id, ifMatch);
        throw await allIssues(store, principal, found, async () =>
          resource.amend(change, before, { parts: store, principal, id: params.id }),
        );
      }
      const stored = await untilSettled(noun, () =>
        store.transaction(async (parts) => {
          const before = await current(parts, principal, params.id, ifMatch);
          const context = { parts, principal, id: params.id };
          const draft = await resource.amend(change, before, context);
          const references = await settle(parts, principal, draft);
          const after = await parts.documents.update(
            principal.workspace.id,
            kind,
            params.id,
            before.version,
            { ...draft, ...(references && { references }) },
          );
          if (after) {
            await resource.amended?.(before, after, context);
          }
          return after;
        }, raw),
      );
      return present(stored, principal);
    },
    { namesItsCall: true },
  );

  const remove = verb(
    operations.remove,
    async ({ principal, params, ifMatch, raw }) => {
      await untilSettled(noun, () =>
        store.transaction(async (parts) => {
          const stored = await current(parts, principal, params.id, ifMatch);
          await resource.release?.(stored, { parts, principal, id: params.id });
          return (
            (await parts.documents.remove(
              principal.workspace.id,
              kind,
              params.id,
              stored.version,
            )) || undefined
          );
        }, raw),
      );
      return { value: undefined };
    },
    { namesItsCall: true },
  );

  function present(stored: StoredDocument, principal: Principal) {
    return whenKnown(resource.present([stored], principal), ([value]) => ({
      value,
      version: stored.version,
    }));
  }

  async function current(
    parts: StoreParts,
    principal: Principal,
    id: string,
    ifMatch: readonly number[] | undefined,
  ): Promise<StoredDocument> {
    const stored = await parts.documents.get(principal.workspace.id, kind, id);
    if (!stored) {
      throw notFound(noun);
    }
    if (ifMatch && !ifMatch.includes(stored.version)) {
      throw stale(noun);
    }
    return stored;
  }

  // The engine knows operations by their shape only; their names and exact schemas are the caller's.
  return { list, create, get, update, remove } as unknown as CrudVerbs<Ops>;
}

/** Goes on at once where there is nothing to wait for. */
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

/** A version that moved between the read and the write (possible on PostgreSQL) is read again: the last write wins. */
async function untilSettled<T>(noun: string, attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 5; tries++) {
    const result = await attempt();
    if (result !== undefined) {
      return result;
    }
  }
  throw new Fault('conflict', `the ${noun} is being changed by others all the time: try again`);
}

/** What was found before the transaction, and what its draft would find: one answer names every mistake. */
async function allIssues(
  store: StoreParts,
  principal: Principal,
  found: readonly Issue[],
  draft: () => Promise<Draft>,
): Promise<Fault> {
  try {
    return invalid([...found, ...(await draftIssues(store, principal, await draft()))]);
  } catch (error) {
    if (error instanceof Fault && error.code === 'bad_request' && error.issues) {
      return invalid([...found, ...error.issues]);
    }
    throw error;
  }
}

/** @throws Fault that names, by path, what is wrong with a draft. Otherwise the distinct references. */
async function settle(
  parts: StoreParts,
  principal: Principal,
  draft: Draft,
): Promise<Reference[] | undefined> {
  const issues = await draftIssues(parts, principal, draft);
  if (issues.length > 0) {
    throw invalid(issues);
  }
  if (!draft.references) {
    return undefined;
  }
  return [
    ...new Map(
      draft.references.map(({ kind, id, part }): [string, Reference] => [
        `${keyOf({ kind, id })}/${part ?? ''}`,
        { kind, id, ...(part !== undefined && { part }) },
      ]),
    ).values(),
  ];
}

/** What is wrong with a draft. Everything that it points at must exist in the workspace. */
export async function draftIssues(
  { documents }: Pick<StoreParts, 'documents'>,
  principal: Principal,
  { references = [], issues = [] }: Draft,
): Promise<Issue[]> {
  if (references.length === 0) {
    return [...issues];
  }
  const wanted = new Map(references.map(({ kind, id }) => [keyOf({ kind, id }), { kind, id }]));
  const found = new Set(
    (await documents.existing(principal.workspace.id, [...wanted.values()])).map(keyOf),
  );
  const missing = references
    .filter((reference) => !found.has(keyOf(reference)))
    .map(({ kind, id, path }) => ({ path, message: `there is no ${nouns[kind]} ${id}` }));
  return [...issues, ...missing];
}

const keyOf = ({ kind, id }: Reference): string => `${kind}/${id}`;

const nouns: Record<DocumentKind, string> = {
  alert: 'alert',
  dashboard: 'dashboard',
  source: 'source',
  webhook: 'webhook',
  savedSearch: 'saved search',
  pipe: 'pipe',
};
