import type { AuditEntry } from '../../ports/store/audit-store.ts';
import type { Store } from '../../ports/store/store.ts';
import type { StoreWriter } from '../../ports/store/store-access.ts';

// Not exported, so that only this module can make a receipt.
const written = Symbol('audit line written');

/** Proof that a call has its audit line. Only `commit` gives one. */
export interface AuditReceipt {
  readonly [written]: true;
}

/** What `work` returned, and the receipt that a changing verb answers with. */
export interface Committed<T> {
  result: T;
  receipt: AuditReceipt;
}

/**
 * Runs `work` in one transaction together with the audit line of the call. `work` may run more than
 * once, so it does nothing but store calls. A call that changes nothing in the store passes a
 * `work` that does nothing. A call commits once: one call, one line.
 *
 * @param objectId id of what is changed or created; null for the only one of its kind
 */
export type Commit = <T>(
  objectId: string | null,
  work: (store: StoreWriter) => Promise<T>,
) => Promise<Committed<T>>;

/** The `commit` of one call. `committed` is called after the transaction. */
export function createCommit({
  store,
  line,
  committed,
}: {
  store: Pick<Store, 'transaction'>;
  line: (objectId: string | null) => AuditEntry;
  committed: () => void;
}): Commit {
  let done = false;
  return async (objectId, work) => {
    if (done) {
      throw new TypeError('a call commits once');
    }
    const result = await store.transaction(async (parts) => {
      const value = await work(parts);
      await parts.audit.append([line(objectId)]);
      return value;
    });
    done = true;
    committed();
    return { result, receipt: { [written]: true } };
  };
}
