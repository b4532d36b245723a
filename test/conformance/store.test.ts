import { sqliteBench } from '../kit/store.ts';
import { storeSuite } from './store-suite.ts';

storeSuite('store on SQLite', async () => sqliteBench());
