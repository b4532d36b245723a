import { describe, expect, it } from 'vitest';
import type { SourceContract } from '../../src/contract/pipe/source-contract.ts';
import { sourceKinds } from '../../src/core/pipes/kinds/registry.ts';
import type { SourceKind } from '../../src/core/pipes/kinds/source-kind.ts';
import { ledgerContract, ledgerKind } from './ledger-kind.ts';

describe('a kind of source with a forgotten member', () => {
  it('does not compile', () => {
    const { lag, ...withoutLag } = ledgerKind;
    // @ts-expect-error it does not say what its lag counts
    const first: SourceKind<typeof ledgerContract> = withoutLag;
    const { addresses, ...withoutAddresses } = ledgerKind;
    // @ts-expect-error it does not name the addresses that the egress guard must judge
    const second: SourceKind<typeof ledgerContract> = withoutAddresses;
    // @ts-expect-error it does not write the virtual field of its contract
    const third: SourceKind<typeof ledgerContract> = { ...ledgerKind, virtualFields: {} };
    const { record, ...withoutRecord } = ledgerContract;
    // @ts-expect-error its contract does not say what may be shown
    const fourth: SourceContract = withoutRecord;
    const { postgres, ...others } = sourceKinds;
    // @ts-expect-error the registry has no rules for one of the kinds
    const fifth: typeof sourceKinds = others;
    expect([first, second, third, fourth, fifth]).toHaveLength(5);
    expect([lag, addresses, record, postgres]).toHaveLength(4);
  });
});
