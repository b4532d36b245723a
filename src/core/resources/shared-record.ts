import type { DocumentKind, StoredDocument } from '../../ports/store/document-store.ts';

/**
 * Records of documents that the store hands out again and again (frozen, and the same object while
 * nothing has changed): made once for each state of what else they are made from. For records that
 * do not change with time.
 */
export function sharedRecords<K extends DocumentKind, State, Item extends object>(
  make: (stored: StoredDocument<K>, state: State) => Item,
): (stored: StoredDocument<K>, state: State) => Item {
  const made = new WeakMap<StoredDocument<K>, { state: State; record: Item }>();
  return (stored, state) => {
    const known = made.get(stored);
    if (known && known.state === state) {
      return known.record;
    }
    const record = make(stored, state);
    if (Object.isFrozen(stored)) {
      made.set(stored, { state, record: Object.freeze(record) });
    }
    return record;
  };
}
