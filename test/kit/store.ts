import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresStore } from '../../src/adapters/store/drivers/postgres.ts';
import { openSqliteStore } from '../../src/adapters/store/drivers/sqlite.ts';
import type { Store } from '../../src/ports/store/store.ts';
import type { PostgresPeer } from './postgres.ts';

/** A clock that stands until it is moved. */
export interface MovableClock {
  nowMs: number;
  now(): number;
}

export function movableClock(nowMs = 1_700_000_000_000): MovableClock {
  return {
    nowMs,
    now() {
      return this.nowMs;
    },
  };
}

/** Empty databases for tests, of one kind. Everything made is removed by `remove`. */
export interface StoreBench {
  readonly kind: 'sqlite' | 'postgres';
  /**
   * So many nodes on one new empty database. On SQLite, which one process has to itself, they are
   * one and the same.
   */
  nodes(count: number, clock?: MovableClock): Promise<Store[]>;
  remove(): Promise<void>;
}

export function sqliteBench(): StoreBench {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-store-'));
  const opened: Store[] = [];
  return {
    kind: 'sqlite',
    async nodes(count, clock) {
      const store = await openSqliteStore({
        path: join(folder, `${opened.length}.db`),
        ...(clock && { clock }),
      });
      opened.push(store);
      return Array.from({ length: count }, () => store);
    },
    async remove() {
      for (const store of opened) {
        await store.close();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function postgresBench(peer: PostgresPeer): StoreBench {
  const opened: Store[] = [];
  return {
    kind: 'postgres',
    async nodes(count, clock) {
      const url = await peer.createDatabase();
      const stores = await Promise.all(
        Array.from({ length: count }, () =>
          openPostgresStore({ url, poolMax: 6, ...(clock && { clock }) }),
        ),
      );
      opened.push(...stores);
      return stores;
    },
    async remove() {
      for (const store of opened) {
        await store.close();
      }
    },
  };
}
