import { afterAll, beforeAll, describe } from 'vitest';
import type { Store } from '../../src/ports/store.ts';
import { movableClock, type MovableClock, type StoreBench } from '../kit/store.ts';
import { auditTests } from './store-audit.ts';
import { documentTests } from './store-documents.ts';
import { identityTests } from './store-identity.ts';
import { objectTests } from './store-objects.ts';
import { transactionTests } from './store-transactions.ts';
import { workTests } from './store-work.ts';

/** What the tests of a suite run on: two nodes over one database. On SQLite they are the same store. */
export interface StoreUnderTest {
  a: Store;
  b: Store;
  clock: MovableClock;
  kind: StoreBench['kind'];
}

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
  });
}
