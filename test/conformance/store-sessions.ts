import { describe, expect, test } from 'vitest';
import { sessionIdleMs, sessionMaxMs } from '../../src/contract/people/session.ts';
import { name } from './store-documents.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function sessionTests(under: StoreUnderTest, userOf: () => UserOfTest): void {
  const made = async (userId = userOf().userId) => {
    const id = name('session');
    const hash = `hash of ${id}`;
    const session = { id, userId, hash, address: '192.0.2.7', browser: null };
    return { hash, stored: await under.a.identity.insertSession(session) };
  };

  describe('sessions', () => {
    test('are found by hash with their user and workspace, and listed newest first', async () => {
      const first = await made();
      under.clock.nowMs += 1;
      const second = await made();
      const { userId, workspaceId } = userOf();
      expect(await under.b.identity.sessionByHash(first.hash)).toMatchObject({
        session: first.stored,
        user: { id: userId, workspaceId, role: 'member' },
        workspace: { id: workspaceId },
      });
      expect(await under.b.identity.sessionByHash('no hash')).toBeUndefined();
      expect(await under.b.identity.sessions(userId)).toEqual([second.stored, first.stored]);
    });

    test('are taken once, and end one by one or all but one', async () => {
      const { userId } = userOf();
      const { identity } = under.a;
      const [first, second, third] = [await made(), await made(), await made()];
      const again = { ...first.stored, id: name('session'), hash: first.hash };
      await expect(identity.insertSession(again)).rejects.toMatchObject({ code: 'conflict' });
      expect(await identity.removeSession('another user', first.stored.id)).toBe(false);
      const before = await identity.identityRevision();
      expect(await identity.removeSession(userId, first.stored.id)).toBe(true);
      expect(await identity.identityRevision()).toBeGreaterThan(before);
      await identity.removeSessions(userId, third.stored.id);
      expect(await identity.sessions(userId)).toEqual([third.stored]);
      expect(await identity.sessionByHash(second.hash)).toBeUndefined();
      await identity.removeSessions(userId);
      expect(await identity.sessions(userId)).toEqual([]);
    });

    test('go with their user, and when they are past their time', async () => {
      const { identity } = under.a;
      const { workspaceId, userId } = userOf();
      const other = name('user');
      const email = `${other}@example.com`;
      await identity.insertUser({
        id: other,
        workspaceId,
        email,
        name: null,
        passwordHash: null,
        role: 'admin',
      });
      const ofOther = await made(other);
      await identity.removeUser(workspaceId, other);
      expect(await identity.sessionByHash(ofOther.hash)).toBeUndefined();

      const idle = await made();
      const used = await made();
      const usedAtMs = used.stored.createdAtMs + sessionIdleMs - 1;
      await identity.touchKeys([{ kind: 'session', id: used.stored.id, usedAtMs }]);
      await identity.touchKeys([{ kind: 'session', id: used.stored.id, usedAtMs: usedAtMs - 5 }]);
      under.clock.nowMs += sessionIdleMs;
      await under.a.sweep();
      expect(await identity.sessions(userId)).toEqual([{ ...used.stored, usedAtMs }]);
      expect(await identity.sessionByHash(idle.hash)).toBeUndefined();
      under.clock.nowMs += sessionMaxMs - sessionIdleMs;
      await under.a.sweep();
      expect(await identity.sessions(userId)).toEqual([]);
    });
  });
}

export function memberLinkTests(under: StoreUnderTest, userOf: () => UserOfTest): void {
  describe('links of members', () => {
    test('are one a user, work once, and go with a new password and in time', async () => {
      const { identity } = under.a;
      const { userId, workspaceId } = userOf();
      const set = async () => {
        const hash = name('link');
        await identity.setMemberLink(userId, { hash, expiresAtMs: under.clock.nowMs + 10 });
        return hash;
      };
      const [replaced, used] = [await set(), await set()];
      expect(await under.b.identity.memberLinkByHash(replaced)).toBeUndefined();
      expect(await under.b.identity.memberLinkByHash(used)).toMatchObject({
        expiresAtMs: under.clock.nowMs + 10,
        user: { id: userId },
        workspace: { id: workspaceId },
      });
      expect(await identity.removeMemberLink(used)).toBe(true);
      expect(await identity.removeMemberLink(used)).toBe(false);
      const outdated = await set();
      await identity.setPassword(workspaceId, userId, 'scrypt$1');
      expect(await identity.memberLinkByHash(outdated)).toBeUndefined();
      const late = await set();
      under.clock.nowMs += 10;
      await under.a.sweep();
      expect(await identity.memberLinkByHash(late)).toBeUndefined();
    });
  });
}

interface UserOfTest {
  userId: string;
  workspaceId: string;
}
