import type { DocumentStore, Store, StoreParts } from '../../ports/store.ts';
import type { IdentityStore } from '../../ports/identity-store.ts';

/** Something that a transaction has changed. */
export interface Write {
  part: 'documents' | 'identity';
  /** Method of that part, and what it was given. */
  method: string;
  args: readonly unknown[];
  /** Id of what was made; undefined where the caller named what it changed. */
  createdId: string | undefined;
}

export interface StoreObserver {
  /** Whether a write outside of a transaction should become one, so that `written` can add to it. */
  wantsTransaction(): boolean;
  /** In every transaction that changed something, before its end. */
  written(parts: StoreParts, writes: readonly Write[], call: object | undefined): Promise<void>;
  /** After the end of such a transaction. */
  committed(writes: readonly Write[], call: object | undefined): void;
}

const documentWrites = [
  'insert',
  'update',
  'remove',
] as const satisfies readonly (keyof DocumentStore)[];
const identityWrites = [
  'insertOrganization',
  'insertWorkspace',
  'insertUser',
  'setPassword',
  'removeUser',
  'insertAccessKey',
  'removeAccessKey',
  'setIngestionKey',
  'insertOrganizationKey',
  'updateOrganizationKey',
  'removeOrganizationKey',
] as const satisfies readonly (keyof IdentityStore)[];

/** The same store, with somebody told of every change to documents and identities, in the transaction that makes it. */
export function observedStore(store: Store, observer: StoreObserver): Store {
  /** A connection hands out the same parts for each of its transactions, one after the other. */
  const known = new WeakMap<StoreParts, Watched>();
  const watched = (parts: StoreParts): Watched => {
    const found = known.get(parts) ?? watchedParts(parts);
    known.set(parts, found);
    return found;
  };
  const transaction: Store['transaction'] = async (work, call) => {
    let writes: Write[] = [];
    const result = await store.transaction(async (parts) => {
      const watch = watched(parts);
      // A transaction may be tried again: only what the last attempt wrote has happened.
      writes = watch.writes = [];
      const value = await work(watch.parts);
      if (writes.length > 0) {
        await observer.written(parts, writes, call);
      }
      return value;
    });
    if (writes.length > 0) {
      observer.committed(writes, call);
    }
    return result;
  };
  const alone = (
    part: Write['part'],
    name: string,
    args: unknown[],
    direct: () => Promise<unknown>,
  ) =>
    part === 'documents' && !observer.wantsTransaction()
      ? direct()
      : transaction((parts) => methodOf(parts[part], name)(...args));
  return {
    ...store,
    documents: redirected(store.documents, documentWrites, (name, args, direct) =>
      alone('documents', name, args, direct),
    ),
    identity: redirected(store.identity, identityWrites, (name, args, direct) =>
      alone('identity', name, args, direct),
    ),
    transaction,
  };
}

interface Watched {
  parts: StoreParts;
  /** Of the transaction that is running. */
  writes: Write[];
}

function watchedParts(parts: StoreParts): Watched {
  const watched: Watched = { parts, writes: [] };
  const watch =
    (part: Write['part']) =>
    async (name: string, args: unknown[], direct: () => Promise<unknown>) => {
      const result = await direct();
      // `undefined` and `false` say that there was nothing to change.
      if (result !== undefined && result !== false) {
        watched.writes.push({
          part,
          method: name,
          args,
          createdId: name.startsWith('insert') ? idOf(result) : undefined,
        });
      }
      return result;
    };
  watched.parts = {
    ...parts,
    documents: redirected(parts.documents, documentWrites, watch('documents')),
    identity: redirected(parts.identity, identityWrites, watch('identity')),
  };
  return watched;
}

type AnyMethod = (...args: unknown[]) => Promise<unknown>;

const methodOf = (target: object, name: string): AnyMethod =>
  (target as Record<string, AnyMethod>)[name]!;

/** The same object, with the named methods going through `via`. */
function redirected<T extends object>(
  target: T,
  names: readonly (keyof T & string)[],
  via: (name: string, args: unknown[], direct: () => Promise<unknown>) => Promise<unknown>,
): T {
  const methods = names.map(
    (name) =>
      [
        name,
        (...args: unknown[]) => via(name, args, () => methodOf(target, name)(...args)),
      ] as const,
  );
  return { ...target, ...Object.fromEntries(methods) };
}

function idOf(value: unknown): string | undefined {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  return typeof id === 'string' ? id : undefined;
}
