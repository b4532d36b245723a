import type { Store } from '../../src/ports/store/store.ts';
import type { MovableClock, StoreBench } from '../kit/store.ts';

/**
 * What the tests of a suite run on: two nodes over one database. On SQLite they are the same store.
 */
export interface StoreUnderTest {
  a: Store;
  b: Store;
  clock: MovableClock;
  kind: StoreBench['kind'];
}
