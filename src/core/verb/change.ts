import type { Principal } from '../../ports/principal.ts';
import type { AuditEntry } from '../../ports/store/audit-store.ts';
import type { IdempotencyStore, Store } from '../../ports/store/store.ts';
import type { StoreWriter } from '../../ports/store/store-access.ts';
import type { Outcome } from './outcome.ts';

// Not exported, so that only this module can make a receipt.
const written = Symbol('audit line written');

/** Proof that a call has its audit line. Only `commit` gives one. */
export interface AuditReceipt {
  readonly [written]: true;
}

/** What a changing verb answers. It comes from `commit` and from nowhere else. */
export interface ChangeOutcome<T> extends Outcome<T> {
  receipt: AuditReceipt;
}

/**
 * Runs `work` in one transaction together with the audit line of the call and, if the call has an
 * `Idempotency-Key`, its answer. `work` may run more than once, so it does nothing but store calls.
 * A call that changes nothing in the store passes a `work` that only answers. A call commits once:
 * one call, one line.
 *
 * @param objectId id of what is changed or created; null for the only one of its kind
 * @param actor who the call turned out to come from, if its principal is anonymous
 */
export type Commit = <T>(
  objectId: string | null,
  work: (store: StoreWriter) => Promise<Outcome<T>>,
  actor?: Actor,
) => Promise<ChangeOutcome<T>>;

/** The part of a principal that an audit line names. */
export type Actor = Pick<Principal, 'workspace' | 'subject'>;

/**
 * Stores the answer of a change in the transaction that makes the change, so that neither exists
 * without the other. @throws AlreadyAnswered
 */
export type KeepAnswer = <T>(
  store: IdempotencyStore,
  change: () => Promise<Outcome<T>>,
) => Promise<Outcome<T>>;

/** Another request with the same `Idempotency-Key` committed first. The transaction is undone. */
export class AlreadyAnswered extends Error {
  override name = 'AlreadyAnswered';
}

/** The `commit` of one call. `committed` is called after the transaction. */
export function createCommit({
  store,
  line,
  keepAnswer = (_store, change) => change(),
  committed,
}: {
  store: Pick<Store, 'transaction'>;
  line: (objectId: string | null, actor: Actor | undefined) => AuditEntry;
  keepAnswer?: KeepAnswer | undefined;
  committed: () => void;
}): Commit {
  let done = false;
  return async (objectId, work, actor) => {
    if (done) {
      throw new TypeError('a call commits once');
    }
    const outcome = await store.transaction((parts) =>
      keepAnswer(parts.idempotency, async () => {
        const answer = await work(parts);
        await parts.audit.append([line(objectId, actor)]);
        return answer;
      }),
    );
    done = true;
    committed();
    return { ...outcome, receipt: { [written]: true } };
  };
}
