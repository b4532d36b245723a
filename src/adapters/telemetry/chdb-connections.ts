import { Session } from 'chdb';
import type { Purpose } from '../../ports/telemetry.ts';
import { engineError } from './engine-errors.ts';
import { Lane } from './lane.ts';

export interface LaneSize {
  /** Connections, which is how many run at once. */
  width: number;
  /** How many may wait; one more is refused as busy. */
  queueLimit: number;
}

/** Purposes whose connections can do nothing but read, whatever text reaches them. */
const readOnly: ReadonlySet<Purpose> = new Set(['chart', 'alert']);

/**
 * chDB connections by purpose, opened at first use. A connection runs one query at a time, so a lane is as wide as it has
 * connections; killing has one of its own, which is never busy with anything else.
 */
export class ChdbConnections {
  readonly #path: string;
  readonly #lanes: Record<Purpose, Lane>;
  readonly #idle: Record<Purpose, Connection[]> = { chart: [], alert: [], ingest: [], pipe: [], admin: [] };
  readonly #all = new Set<Connection>();
  readonly #killLane = new Lane('kill', 1, 10_000);
  #killer: Connection | undefined;

  constructor(path: string, sizes: Record<Purpose, LaneSize>) {
    this.#path = path;
    const lane = (purpose: Purpose): Lane => new Lane(purpose, sizes[purpose].width, sizes[purpose].queueLimit);
    this.#lanes = { chart: lane('chart'), alert: lane('alert'), ingest: lane('ingest'), pipe: lane('pipe'), admin: lane('admin') };
  }

  /** Lends a connection for the time of `work`. */
  use<T>(purpose: Purpose, work: (connection: Connection) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#lanes[purpose].run(async () => {
      const connection = this.#idle[purpose].pop() ?? await this.#open(readOnly.has(purpose));
      try {
        return await work(connection);
      } finally {
        // A connection still at work (its caller was let go) is not lent again until it is free.
        void connection.free().then(() => this.#idle[purpose].push(connection));
      }
    }, signal);
  }

  /** Stops every query whose text begins with `marker`. */
  kill(marker: string): Promise<void> {
    return this.#killLane.run(async () => {
      this.#killer ??= await this.#open(false);
      // Not SYNC: in process it waits for an entry that only our own thread removes.
      await this.#killer.run(`KILL QUERY WHERE startsWith(query, '${marker}') ASYNC`, 'Null');
    });
  }

  /** Lets what runs end, for `waitMs` at most, then stops it. */
  async close(waitMs: number): Promise<void> {
    const ended = Promise.all(Object.values(this.#lanes).map((lane) => lane.close()));
    if (!await within(ended, waitMs)) {
      for (const connection of this.#all) if (connection.marker) await this.kill(connection.marker).catch(() => {});
      await within(ended, waitMs);
    }
    await this.#killLane.close();
    for (const connection of this.#all) connection.close();
  }

  async #open(readOnlyConnection: boolean): Promise<Connection> {
    const connection = new Connection(this.#path);
    this.#all.add(connection);
    // 2 rather than 1: a query's own SETTINGS clause carries its limits, and 1 would refuse it. Neither lets `readonly` be taken back.
    if (readOnlyConnection) await connection.run('SET allow_ddl = 0, allow_introspection_functions = 0, readonly = 2', 'Null');
    return connection;
  }
}

/** One native connection. */
export class Connection {
  readonly #session: Session;
  #busy: Promise<unknown> = Promise.resolve();
  /** The comment at the head of the query that runs now. */
  marker: string | undefined;

  constructor(path: string) {
    try {
      this.#session = new Session(path);
    } catch (error) {
      throw engineError(error);
    }
  }

  /** Runs one text and gives what it answered in `format`. */
  async run(text: string, format: string): Promise<string> {
    const work = this.#run(text, format);
    this.#busy = work.catch(() => {});
    return work;
  }

  /** Resolves when nothing runs on it. */
  async free(): Promise<void> {
    await this.#busy;
  }

  close(): void {
    this.#session.close();
  }

  async #run(text: string, format: string): Promise<string> {
    try {
      return (await this.#session.queryAsync(text, { format })).text();
    } catch (error) {
      // What a failed query had already written stays in the connection and would come out before the next query's answer.
      await this.#session.queryAsync('SELECT 1', { format: 'Null' }).catch(() => {});
      throw engineError(error);
    }
  }
}

async function within(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => { timer = setTimeout(() => resolve(false), limitMs); });
  const result = await Promise.race([work.then(() => true as const), late]);
  clearTimeout(timer);
  return result;
}
