import type { IdentityStore } from '../../../ports/store/identity-store.ts';
import type { Session } from '../statements/session.ts';
import { statement } from '../statements/statement.ts';
import { optional } from './identity-change.ts';
import { ownerColumns, ownerOf } from './owner.ts';

type MemberLinks = Pick<IdentityStore, 'setMemberLink' | 'memberLinkByHash' | 'removeMemberLink'>;

/** Links with which members set a password: at most one a user. */
export function createMemberLinks(session: Session): MemberLinks {
  return {
    setMemberLink: (userId, { hash, expiresAtMs }) =>
      session.atomically(async (inside) => {
        await inside.run(removeOfUser, { userId });
        await inside.run(insertOne, { userId, hash, expiresAtMs });
      }),
    memberLinkByHash: async (hash) =>
      optional(await session.first(selectByHash, { hash }), (row) => ({
        expiresAtMs: row.expires_at_ms,
        ...ownerOf(row),
      })),
    removeMemberLink: async (hash) => (await session.run(removeByHash, { hash })) > 0,
  };
}

/** Deletes links that are past their time. */
export async function sweepMemberLinks(session: Session): Promise<void> {
  await session.run(sweep, {});
}

export const removeOfUser = statement<{ userId: string }>()(({ global }, { userId }) =>
  global.deleteFrom('member_links').where('user_id', '=', userId),
);

const insertOne = statement<{ userId: string; hash: string; expiresAtMs: number }>()(
  ({ global }, { userId, hash, expiresAtMs }) =>
    global
      .insertInto('member_links')
      .values({ user_id: userId, hash, expires_at_ms: expiresAtMs })
      // Two at once: the later one stands.
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({ hash, expires_at_ms: expiresAtMs }),
      ),
);

const selectByHash = statement<{ hash: string }>()(({ global }, { hash }) =>
  global
    .selectFrom('member_links as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .innerJoin('workspaces as w', 'w.id', 'u.workspace_id')
    .select(['l.user_id', 'l.expires_at_ms'])
    .select(ownerColumns)
    .where('l.hash', '=', hash),
);

const removeByHash = statement<{ hash: string }>()(({ global }, { hash }) =>
  global.deleteFrom('member_links').where('hash', '=', hash),
);

const sweep = statement<Record<string, never>>()(({ global, now }) =>
  global.deleteFrom('member_links').where('expires_at_ms', '<=', now),
);
