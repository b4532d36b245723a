import { sql } from 'kysely';
import { sessionIdleMs, sessionMaxMs } from '../../../contract/people/session.ts';
import type { IdentityStore, StoredSession } from '../../../ports/store/identity-store.ts';
import type { Session } from '../statements/session.ts';
import { statement } from '../statements/statement.ts';
import { changing, inserted, optional } from './identity-change.ts';
import { ownerColumns, ownerOf } from './owner.ts';

type Sessions = Pick<
  IdentityStore,
  'insertSession' | 'sessionByHash' | 'sessions' | 'removeSession' | 'removeSessions'
>;

/** The sign-ins of users. A new one changes nothing that a cache may know. */
export function createSessions(session: Session): Sessions {
  return {
    insertSession: async ({ id, userId, hash, address, browser }) =>
      storedSession(
        inserted(
          await session.first(insertOne, { id, userId, hash, address, browser }),
          'a session with this id or token',
        ),
      ),
    sessionByHash: async (hash) =>
      optional(await session.first(selectByHash, { hash }), (row) => ({
        session: storedSession(row),
        ...ownerOf(row),
      })),
    sessions: async (userId) => (await session.all(selectOfUser, { userId })).map(storedSession),
    removeSession: (userId, id) =>
      changing(session, async (inside) => (await inside.run(removeOne, { userId, id })) > 0),
    removeSessions: (userId, keepId = '') =>
      changing(session, async (inside) => {
        await inside.run(removeOthers, { userId, keepId });
      }),
  };
}

/** Deletes sessions that have ended. */
export async function sweepSessions(session: Session): Promise<void> {
  await session.run(sweep, {});
}

const columns = ['id', 'user_id', 'created_at_ms', 'used_at_ms', 'address', 'browser'] as const;

const insertOne = statement<{
  id: string;
  userId: string;
  hash: string;
  address: string | null;
  browser: string | null;
}>()(({ global, now }, { id, userId, hash, address, browser }) =>
  global
    .insertInto('sessions')
    .values({ id, user_id: userId, hash, created_at_ms: now, used_at_ms: now, address, browser })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns),
);

const selectByHash = statement<{ hash: string }>()(({ global }, { hash }) =>
  global
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .innerJoin('workspaces as w', 'w.id', 'u.workspace_id')
    .select(['s.id', 's.user_id', 's.created_at_ms', 's.used_at_ms', 's.address', 's.browser'])
    .select(ownerColumns)
    .where('s.hash', '=', hash),
);

const selectOfUser = statement<{ userId: string }>()(({ global }, { userId }) =>
  global
    .selectFrom('sessions')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc'),
);

const removeOne = statement<{ userId: string; id: string }>()(({ global }, { userId, id }) =>
  global.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', id),
);

const removeOthers = statement<{ userId: string; keepId: string }>()(
  ({ global }, { userId, keepId }) =>
    global.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', keepId),
);

const sweep = statement<Record<string, never>>()(({ global, now }) =>
  global
    .deleteFrom('sessions')
    .where((eb) =>
      eb.or([
        eb('created_at_ms', '<=', sql<number>`${now} - cast(${sessionMaxMs} as bigint)`),
        eb('used_at_ms', '<=', sql<number>`${now} - cast(${sessionIdleMs} as bigint)`),
      ]),
    ),
);

interface Row {
  id: string;
  user_id: string;
  created_at_ms: number;
  used_at_ms: number;
  address: string | null;
  browser: string | null;
}

function storedSession(row: Row): StoredSession {
  return {
    id: row.id,
    userId: row.user_id,
    createdAtMs: row.created_at_ms,
    usedAtMs: row.used_at_ms,
    address: row.address,
    browser: row.browser,
  };
}
