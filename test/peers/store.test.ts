import { afterAll, beforeAll, describe } from 'vitest';
import { storeSuite } from '../conformance/store-suite.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { postgresBench } from '../kit/store.ts';

describe.skipIf(postgresMissing())('on a PostgreSQL server', () => {
  let peer: PostgresPeer;
  beforeAll(async () => {
    peer = await startPostgres();
  });
  afterAll(() => peer.remove());

  storeSuite('store on PostgreSQL', async () => postgresBench(peer));
});
