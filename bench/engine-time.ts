import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readEngineAccess } from '../src/adapters/telemetry/embedded/engine-access.ts';

const clockQuery =
  "SELECT value FROM system.events WHERE event = 'SelectQueryTimeMicroseconds' FORMAT TSV";

const readings = 5;
const countedMs = 20;

/** Measures how long the embedded engine of a running program works on queries. */
export class EngineTime {
  readonly #read: () => Promise<number>;
  /** Milliseconds of one reading, which is a query too and counts in the next one. */
  readonly #ownMs: number;

  private constructor(read: () => Promise<number>, ownMs: number) {
    this.#read = read;
    this.#ownMs = ownMs;
  }

  /** @param dataDir the program's data directory, which says how to reach its engine */
  static async open(dataDir: string): Promise<EngineTime> {
    const access = await readEngineAccess(join(dataDir, 'engine.json'));
    if (!access) {
      throw new Error(`no engine runs on ${dataDir}`);
    }
    const headers = { 'x-clickhouse-user': access.username, 'x-clickhouse-key': access.password };
    const read = async (): Promise<number> => {
      // A query counts shortly after its response.
      await pause(countedMs);
      const response = await fetch(access.url, { method: 'POST', headers, body: clockQuery });
      return Number(await response.text()) / 1000;
    };
    let ownMs = Infinity;
    let last = await read();
    for (let reading = 0; reading < readings; reading++) {
      const now = await read();
      ownMs = Math.min(ownMs, now - last);
      last = now;
    }
    return new EngineTime(read, ownMs);
  }

  /** Milliseconds that the queries of `work` took on the engine. Nothing else may query it. */
  async of(work: () => Promise<void>): Promise<number> {
    const before = await this.#read();
    await work();
    const after = await this.#read();
    return Math.max(0, after - before - this.#ownMs);
  }
}
