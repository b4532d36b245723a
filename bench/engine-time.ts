import { join } from 'node:path';
import { readEngineAccess } from '../src/adapters/telemetry/embedded/engine-access.ts';

const clockQuery =
  "SELECT value FROM system.events WHERE event = 'SelectQueryTimeMicroseconds' FORMAT TSV";

/** Measures how long the embedded engine of a running program works on queries. */
export class EngineTime {
  readonly #read: () => Promise<number>;

  private constructor(read: () => Promise<number>) {
    this.#read = read;
  }

  /** @param dataDir the program's data directory, which says how to reach its engine */
  static async open(dataDir: string): Promise<EngineTime> {
    const access = await readEngineAccess(join(dataDir, 'engine.json'));
    if (!access) {
      throw new Error(`no engine runs on ${dataDir}`);
    }
    const headers = { 'x-clickhouse-user': access.username, 'x-clickhouse-key': access.password };
    return new EngineTime(async () => {
      const response = await fetch(access.url, { method: 'POST', headers, body: clockQuery });
      return Number(await response.text()) / 1000;
    });
  }

  /** Milliseconds that the queries of `work` took on the engine. Nothing else may query it. */
  async of(work: () => Promise<void>): Promise<number> {
    // A reading is a query too, and counts in the next one.
    const first = await this.#read();
    const before = await this.#read();
    await work();
    const after = await this.#read();
    return Math.max(0, after - before - (before - first));
  }
}
