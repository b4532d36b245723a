import { afterAll, beforeAll, describe } from 'vitest';
import { movableClock, type StoreBench } from '../kit/store.ts';
import { auditTests } from './store-audit.ts';
import { documentTests } from './store-documents.ts';
import { identityTests } from './store-identity.ts';
import { objectTests } from './store-objects.ts';
import { replayTests } from './store-replays.ts';
import { transactionTests } from './store-transactions.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { workTests } from './store-work.ts';

/** What every store promises, whatever it is kept in. */
export function storeSuite(name: string, open: () => Promise<StoreBench>): void {
  describe(name, () => {
    const under = {} as StoreUnderTest;
    let bench: StoreBench;

    beforeAll(async () => {
      bench = await open();
      const clock = movableClock();
      const [a, b] = await bench.nodes(2, clock);
      Object.assign(under, { a, b, clock, kind: bench.kind });
    });
    afterAll(() => bench.remove());

    documentTests(under);
    identityTests(under);
    workTests(under);
    transactionTests(under);
    auditTests(under);
    objectTests(under);
    replayTests(under);
  });
}
