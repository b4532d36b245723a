import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deleteAlert, getAlert } from '../../contract/alert/alert.ts';
import { NoBody, NoQuery } from '../../contract/common.ts';
import { operation } from '../../contract/operation.ts';
import type { Store, StoreParts } from '../../ports/store/store.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import type { AuditEntry } from '../../ports/store/audit-store.ts';
import { createCommit } from './change.ts';
import { changeVerb, readVerb } from './verb.ts';

const entry: Omit<AuditEntry, 'object'> = {
  id: '1',
  atMs: 1,
  organizationId: null,
  serviceId: null,
  actor: { kind: 'system', id: null, name: null },
  operation: 'deleteAlert',
  address: null,
  requestId: null,
  outcome: 'success',
  code: null,
  count: 1,
};

/** A store whose transactions only keep audit lines. */
function linesOnly(lines: AuditEntry[]): Pick<Store, 'transaction'> {
  const audit = { append: async (added: readonly AuditEntry[]) => void lines.push(...added) };
  return { transaction: (work) => work({ audit } as StoreParts) };
}

describe('commit', () => {
  const commitTo = (lines: AuditEntry[]) =>
    createCommit({
      store: linesOnly(lines),
      line: (id) => ({ ...entry, object: { kind: 'alert', id } }),
      committed: () => undefined,
    });

  it('writes the line after the work, in its transaction', async () => {
    const lines: AuditEntry[] = [];
    const { value } = await commitTo(lines)('a', async () => ({ value: lines.length }));
    expect(value).toBe(0);
    expect(lines.map(({ object }) => object)).toEqual([{ kind: 'alert', id: 'a' }]);
  });

  it('writes no line if the work fails', async () => {
    const lines: AuditEntry[] = [];
    const failing = commitTo(lines)('a', () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(lines).toEqual([]);
  });

  it('commits once: one call is one line', async () => {
    const lines: AuditEntry[] = [];
    const commit = commitTo(lines);
    await commit('a', async () => ({ value: undefined }));
    await expect(commit('a', async () => ({ value: undefined }))).rejects.toThrow(
      'a call commits once',
    );
    expect(lines).toHaveLength(1);
  });
});

// Checked by the compiler: an expected error that does not occur is an error.
describe('a forgotten audit line does not compile', () => {
  it('a changing verb answers with the receipt of its commit', () => {
    changeVerb(deleteAlert, ({ params, commit }) =>
      commit(params.id, async () => ({ value: undefined })),
    );
    // @ts-expect-error the receipt is missing
    changeVerb(deleteAlert, async () => ({ value: undefined }));
    // @ts-expect-error a receipt cannot be made by hand
    changeVerb(deleteAlert, async () => ({ value: undefined, receipt: {} }));
  });

  it('the scope of an operation decides which kind of verb it needs', () => {
    // @ts-expect-error a changing operation is not a reading verb
    readVerb(deleteAlert, async () => ({ value: undefined }));
    // @ts-expect-error a reading operation cannot commit
    readVerb(getAlert, async ({ commit }) => commit('a', async () => ({ value: undefined })));
  });

  it('the store of a verb only reads', () => {
    const verbs = (store: StoreReader) => {
      // @ts-expect-error no transaction
      void store.transaction;
      // @ts-expect-error no writing method
      void store.documents.insert;
      // @ts-expect-error no writing method
      void store.identity.removeAccessKey;
      // @ts-expect-error no writing method
      void store.pipes.ask;
      // @ts-expect-error no writing method
      void store.audit.append;
    };
    expect(verbs).toBeTypeOf('function');
  });

  it('an operation names its object by one of its own path parameters', () => {
    const shape = {
      summary: '',
      description: '',
      tag: 'Team',
      scope: 'stack:write',
      query: NoQuery,
    } as const;
    const params = z.object({ alertId: z.string() });
    const rest = { ...shape, name: 'x', params, body: NoBody, result: NoBody } as const;
    operation({ ...rest, object: { kind: 'alert', id: 'alertId' } });
    // @ts-expect-error there is no such path parameter
    operation({ ...rest, object: { kind: 'alert', id: 'id' } });
    // @ts-expect-error the object is missing
    operation(rest);
  });
});
