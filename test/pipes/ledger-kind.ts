import { z } from 'zod';
import { WebAddress } from '../../src/contract/pipe/fields.ts';
import type { SourceContract } from '../../src/contract/pipe/source-contract.ts';
import type { SourceKind } from '../../src/core/pipes/kinds/source-kind.ts';
import { recordPosition } from '../../src/core/pipes/kinds/virtual-fields.ts';

const Entry = z.object({ title: z.string(), code: z.string().optional() });
const shown = {
  address: WebAddress,
  account: z.string().min(1).optional(),
  batchRows: z.number().min(1).optional(),
  tags: z.array(z.string()).optional(),
};

const LedgerSourceInput = z
  .object({
    ...shown,
    token: z.string().min(1),
    key: z.string().optional(),
    login: z.object({ user: z.string(), pin: z.string().optional() }).optional(),
    entries: z.array(Entry).optional(),
    caCertificate: z.string().optional(),
  })
  .superRefine((source, context) => {
    for (const [path, message] of ledgerMistakes(source)) {
      context.addIssue({ code: 'custom', path, message });
    }
  });
type LedgerSourceInput = z.output<typeof LedgerSourceInput>;

function ledgerMistakes({ account }: { account?: string | undefined }): [string[], string][] {
  return account === 'closed' ? [[['account'], 'is closed']] : [];
}

/** A kind of source that the product does not have. It says nothing about what must be hidden. */
export const ledgerContract = {
  input: LedgerSourceInput,
  draft: z.object(LedgerSourceInput.shape),
  record: z.object({
    ...shown,
    key: z.string().optional(),
    login: z.object({ user: z.string() }).optional(),
    entries: z.array(Entry.pick({ title: true })).optional(),
  }),
  masks: { key: (text: string) => `${text.slice(0, 2)}***` },
  update: z.object({
    account: shown.account,
    token: z.string().min(1).optional(),
    addTags: z.array(z.string()).optional(),
  }),
  virtualFields: ['_entry'],
  tablesField: null,
  mistakes: ledgerMistakes,
} as const satisfies SourceContract<LedgerSourceInput>;

/** Its rules differ from those of every other kind wherever they can. */
export const ledgerKind: SourceKind<typeof ledgerContract> = {
  contract: ledgerContract,
  sealedNames: { 'login.pin': 'ledgerPin' },
  defaults: (source, pipeId) => ({ ...source, account: source.account ?? `ledger-${pipeId}` }),
  addresses: ({ address }) => [{ path: ['address'], url: address }],
  certificates: ({ caCertificate }) => [{ path: ['caCertificate'], certificate: caCertificate }],
  servers: ({ address }) => [address],
  fieldConflict: (_, fields) =>
    fields.includes('left') && fields.includes('right') ? 'take left or right' : undefined,
  merge(stored, { addTags = [], account, token }) {
    const tags = stored.tags ?? [];
    return {
      source: {
        ...stored,
        ...(account !== undefined && { account }),
        ...(token !== undefined && { token }),
        tags: [...tags, ...addTags],
      },
      mistakes: addTags
        .filter((tag) => tags.includes(tag))
        .map((tag) => [['addTags'], `has ${tag} already`]),
    };
  },
  limits: ({ batchRows = 100 }) => ({ rowsMax: batchRows, rangeRowsMax: batchRows, waitMs: 50 }),
  readsWithCluster: () => false,
  assumed: () => ({}),
  createsAtSource: () => [],
  states: { opened: 'Setup', resting: 'Paused' },
  lag: 'retained bytes',
  canResync: true,
  canReplay: true,
  targets: () => [],
  virtualFields: { _entry: recordPosition },
};
