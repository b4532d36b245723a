import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../src/ports/store/audit-store.ts';
import { name } from './store-documents.ts';
import type { StoreUnderTest } from './store-under-test.ts';

let made = 0;
const line = (organizationId: string | null, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id: name('line').padStart(24, '0'),
  atMs: 1000 + ++made,
  organizationId,
  serviceId: null,
  actor: { kind: 'key', id: 'k', name: 'Key "ü"' },
  operation: 'createAlert',
  object: { kind: 'alert', id: 'a' },
  address: '192.0.2.1',
  requestId: 'r',
  outcome: 'success',
  code: null,
  count: 1,
  ...more,
});

export function auditTests(under: StoreUnderTest): void {
  describe('audit trail', () => {
    test('lines are read back whole, newest first, in pages, on every node', async () => {
      const organizationId = name('org');
      const lines = [
        line(organizationId),
        line(organizationId, {
          actor: { kind: 'anonymous', id: null, name: null },
          object: { kind: 'credential', id: null },
          address: null,
          requestId: null,
          outcome: 'denied',
          code: 'unauthorized',
          count: 3,
        }),
        line(organizationId, { serviceId: 's' }),
      ];
      await under.a.audit.append(lines);
      await under.a.audit.append([]);
      const all = await under.b.audit.list({ organizationId }, { limit: 10, offset: 0 });
      expect(all).toEqual({ items: lines.toReversed(), total: 3 });
      expect(await under.b.audit.list({ organizationId }, { limit: 1, offset: 1 })).toEqual({
        items: [lines[1]],
        total: 3,
      });
    });

    test('filters go together, and an organization sees its own lines only', async () => {
      const [mine, theirs] = [name('org'), name('org')];
      const lines = [
        line(mine, { operation: 'createKey', object: { kind: 'key', id: 'x' } }),
        line(mine, { actor: { kind: 'user', id: 'u', name: 'u@example.com' } }),
        line(mine, { outcome: 'failure', code: 'conflict', serviceId: 's1' }),
        line(theirs),
        line(null),
      ];
      await under.a.audit.append(lines);
      const ids = async (filter: object) =>
        (
          await under.a.audit.list({ organizationId: mine, ...filter }, { limit: 10, offset: 0 })
        ).items.map(({ id }) => lines.findIndex((one) => one.id === id));
      expect(await ids({})).toEqual([2, 1, 0]);
      expect(await ids({ operation: 'createKey' })).toEqual([0]);
      expect(await ids({ actorKind: 'user', actorId: 'u' })).toEqual([1]);
      expect(await ids({ actorKind: 'user', actorId: 'k' })).toEqual([]);
      expect(await ids({ objectKind: 'key', objectId: 'x' })).toEqual([0]);
      expect(await ids({ outcome: 'failure', serviceId: 's1' })).toEqual([2]);
      expect(await ids({ fromMs: lines[1]!.atMs, toMs: lines[2]!.atMs })).toEqual([1]);
      expect(await ids({ organizationId: theirs })).toEqual([3]);
      const everybody = await under.a.audit.list(
        { fromMs: lines[0]!.atMs, toMs: lines[4]!.atMs + 1 },
        { limit: 10, offset: 0 },
      );
      expect(everybody.total).toBe(5);
    });

    test('a line belongs to its transaction', async () => {
      const organizationId = name('org');
      await expect(
        under.a.transaction(async ({ audit }) => {
          await audit.append([line(organizationId)]);
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect((await under.a.audit.list({ organizationId }, { limit: 1, offset: 0 })).total).toBe(0);
    });

    test('trimming takes the oldest refusals and never a success', async () => {
      const organizationId = name('org');
      await under.a.audit.append([
        line(organizationId),
        ...Array.from({ length: 5 }, () =>
          line(organizationId, { outcome: 'denied', code: 'unauthorized' }),
        ),
        line(organizationId, { outcome: 'failure', code: 'conflict' }),
      ]);
      await under.a.audit.trimRefusals(2);
      expect(
        (await under.a.audit.list({ organizationId }, { limit: 10, offset: 0 })).items.map(
          ({ outcome }) => outcome,
        ),
      ).toEqual(['failure', 'denied', 'success']);
      await under.a.audit.trimRefusals(0);
      expect(
        (await under.a.audit.list({ organizationId }, { limit: 10, offset: 0 })).items.map(
          ({ outcome }) => outcome,
        ),
      ).toEqual(['success']);
    });
  });
}
