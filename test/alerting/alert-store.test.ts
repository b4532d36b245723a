import { afterAll, describe } from 'vitest';
import { movableClock, sqliteBench } from '../kit/store.ts';
import { alertReadsSuite } from './alert-reads-suite.ts';
import { alertStoreSuite } from './alert-store-suite.ts';

const bench = sqliteBench();
const clock = movableClock();
const [store] = await bench.nodes(1, clock);

describe('alert store over SQLite', () => alertStoreSuite(store!, clock));
describe('reads of alerts over SQLite', () => alertReadsSuite(store!));
afterAll(() => bench.remove());
