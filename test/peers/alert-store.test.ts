import { afterAll, describe } from 'vitest';
import { alertStoreSuite } from '../alerting/alert-store-suite.ts';
import { postgresMissing, startPostgres } from '../kit/postgres.ts';
import { movableClock, postgresBench } from '../kit/store.ts';

const peer = postgresMissing() ? undefined : await startPostgres();
const clock = movableClock();
const bench = peer && postgresBench(peer);
const [store] = bench ? await bench.nodes(1, clock) : [];

describe.skipIf(!store)('alert store over PostgreSQL', () => alertStoreSuite(store!, clock));
afterAll(async () => {
  await bench?.remove();
  await peer?.remove();
});
