import { sql } from 'kysely';
import { Fault } from '../../contract/errors.ts';
import type { Lease, LeaseStore } from '../../ports/store/lease-store.ts';
import type { Session } from './statements/session.ts';
import { statement, type Queries } from './statements/statement.ts';

/**
 * Leases use the store's time. Rows are never deleted, so epochs only grow. A holder may renew and
 * fence with an expired lease that no other process acquired, because no other process can have
 * written meanwhile.
 */
export function createLeases(session: Session): LeaseStore {
  return {
    acquire: async (name, holder, ttlMs) =>
      lease(
        (await session.first(takeOver, { name, holder, ttlMs })) ??
          (await session.first(takeFirst, { name, holder, ttlMs })),
      ),
    renew: async ({ name, holder, epoch }, ttlMs) =>
      lease(await session.first(extend, { name, holder, epoch, ttlMs })),
    release: async ({ name, holder, epoch }) =>
      void (await session.run(giveUp, { name, holder, epoch })),
    held: async () => (await session.all(selectHeld, {})).flatMap((row) => lease(row) ?? []),
    async fence({ name, holder, epoch }) {
      if (!session.inTransaction) {
        throw new Error(
          'fence() is for use inside a transaction: outside it would promise nothing',
        );
      }
      if (!(await session.first(hold, { name, holder, epoch }))) {
        throw new Fault('conflict', `another process holds the lease ${name}`);
      }
    },
  };
}

const columns = ['name', 'holder', 'epoch', 'expires_at_ms'] as const;
/** The holder of a released lease. */
const nobody = '';

/**
 * Acquires an existing row. Only its current holder keeps the epoch. On PostgreSQL, the statement
 * skips a row that another process is locking.
 */
const takeOver = statement<{ name: string; holder: string; ttlMs: number }>()(
  (queries, { name, holder, ttlMs }) =>
    queries.global
      .updateTable('leases')
      .set((eb) => ({
        holder,
        epoch: eb
          .case()
          .when(eb.and([eb('holder', '=', holder), eb('expires_at_ms', '>', queries.now)]))
          .then(eb.ref('epoch'))
          .else(eb('epoch', '+', 1))
          .end(),
        expires_at_ms: expiry(queries, ttlMs),
      }))
      .where('name', 'in', (eb) => {
        const free = eb
          .selectFrom('leases')
          .select('name')
          .where('name', '=', name)
          .where((or) =>
            or.or([or('holder', '=', holder), or('expires_at_ms', '<=', queries.now)]),
          );
        return queries.dialect === 'postgres' ? free.forUpdate().skipLocked() : free;
      })
      .returning(columns),
);

const takeFirst = statement<{ name: string; holder: string; ttlMs: number }>()(
  (queries, { name, holder, ttlMs }) =>
    queries.global
      .insertInto('leases')
      .values({ name, holder, epoch: 1, expires_at_ms: expiry(queries, ttlMs) })
      .onConflict((conflict) => conflict.doNothing())
      .returning(columns),
);

const extend = statement<{ name: string; holder: string; epoch: number; ttlMs: number }>()(
  (queries, { name, holder, epoch, ttlMs }) =>
    queries.global
      .updateTable('leases')
      .set({ expires_at_ms: expiry(queries, ttlMs) })
      .where('name', '=', name)
      .where('holder', '=', holder)
      .where('epoch', '=', epoch)
      .returning(columns),
);

const giveUp = statement<{ name: string; holder: string; epoch: number }>()(
  (queries, { name, holder, epoch }) =>
    queries.global
      .updateTable('leases')
      .set({ holder: nobody, expires_at_ms: 0 })
      .where('name', '=', name)
      .where('holder', '=', holder)
      .where('epoch', '=', epoch),
);

const selectHeld = statement<Record<string, never>>()((queries) =>
  queries.global
    .selectFrom('leases')
    .select(columns)
    .where('holder', '!=', nobody)
    .where('expires_at_ms', '>', queries.now)
    .orderBy('name'),
);

const hold = statement<{ name: string; holder: string; epoch: number }>()((
  queries,
  { name, holder, epoch },
) => {
  const current = queries.global
    .selectFrom('leases')
    .select('name')
    .where('name', '=', name)
    .where('holder', '=', holder)
    .where('epoch', '=', epoch);
  return queries.dialect === 'postgres' ? current.forShare() : current;
});

function expiry(queries: Queries, ttlMs: number) {
  return sql<number>`${queries.now} + cast(${ttlMs} as bigint)`;
}

function lease(
  row: { name: string; holder: string; epoch: number; expires_at_ms: number } | undefined,
): Lease | undefined {
  return (
    row && { name: row.name, holder: row.holder, epoch: row.epoch, expiresAtMs: row.expires_at_ms }
  );
}
