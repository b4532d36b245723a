import { afterAll, describe } from 'vitest';
import { alertReadsSuite } from '../alerting/alert-reads-suite.ts';
import { alertStoreSuite } from '../alerting/alert-store-suite.ts';
import { postgresMissing, startPostgres } from '../kit/postgres.ts';
import { movableClock, postgresBench } from '../kit/store.ts';

const peer = postgresMissing() ? undefined : await startPostgres();
const clock = movableClock();
const bench = peer && postgresBench(peer);
const [store] = bench ? await bench.nodes(1, clock) : [];

describe.skipIf(!store)('alert store over PostgreSQL', () => alertStoreSuite(store!, clock));
describe.skipIf(!store)('reads of alerts over PostgreSQL', () => alertReadsSuite(store!));
afterAll(async () => {
  await bench?.remove();
  await peer?.remove();
});
