import { Session } from 'chdb';
import type { Purpose } from '../../ports/telemetry.ts';
import { engineError } from './engine-errors.ts';
import { Lane, lanes, type LaneSizes } from './lane.ts';

/** A connection that reads can do nothing else, whatever text reaches it. */
export type Mode = 'read' | 'write';

/**
 * chDB connections by purpose, opened at first use. A connection runs one query at a time, so a lane is as wide as it has
 * connections; killing has one of its own, which is never busy with anything else.
 */
export class ChdbConnections {
  readonly #path: string;
  readonly #configurationFile: string | undefined;
  readonly #lanes: Record<Purpose, Lane>;
  readonly #idle = new Map<string, Connection[]>();
  readonly #all = new Set<Connection>();
  readonly #killLane = new Lane('kill', 1, 10_000);
  #killer: Connection | undefined;

  /** `configurationFile`: read when the first connection begins, and not again. */
  constructor(path: string, sizes: LaneSizes, configurationFile?: string) {
    this.#path = path;
    this.#configurationFile = configurationFile;
    this.#lanes = lanes(sizes);
  }

  /** Lends a connection for the time of `work`. */
  use<T>(
    purpose: Purpose,
    mode: Mode,
    work: (connection: Connection) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#lanes[purpose].run(async () => {
      const idle = this.#idleOf(purpose, mode);
      const connection = idle.pop() ?? (await this.#open(mode));
      try {
        return await work(connection);
      } finally {
        // A connection still at work (its caller was let go) is not lent again until it is free.
        if (connection.busy) {
          void connection.free().then(() => idle.push(connection));
        } else {
          idle.push(connection);
        }
      }
    }, signal);
  }

  /** Stops every query whose text begins with `marker`. */
  kill(marker: string): Promise<void> {
    return this.#killLane.run(async () => {
      this.#killer ??= await this.#open('write');
      // Not SYNC: in process it waits for an entry that only our own thread removes.
      await this.#killer.run(`KILL QUERY WHERE startsWith(query, '${marker}') ASYNC`, 'Null');
    });
  }

  /** Lets what runs end, for `waitMs` at most, then stops it. */
  async close(waitMs: number): Promise<void> {
    const ended = Promise.all(Object.values(this.#lanes).map((lane) => lane.close()));
    if (!(await within(ended, waitMs))) {
      for (const connection of this.#all) {
        if (connection.marker) {
          await this.kill(connection.marker).catch(() => {});
        }
      }
      await within(ended, waitMs);
    }
    await this.#killLane.close();
    for (const connection of this.#all) {
      connection.close();
    }
  }

  #idleOf(purpose: Purpose, mode: Mode): Connection[] {
    const key = `${purpose} ${mode}`;
    const list = this.#idle.get(key) ?? [];
    this.#idle.set(key, list);
    return list;
  }

  async #open(mode: Mode): Promise<Connection> {
    const connection = new Connection(this.#path, this.#configurationFile);
    this.#all.add(connection);
    // 2 rather than 1: a query's own SETTINGS clause carries its limits, and 1 would refuse it. Neither lets `readonly` be taken back.
    if (mode === 'read') {
      await connection.run(
        'SET allow_ddl = 0, allow_introspection_functions = 0, readonly = 2',
        'Null',
      );
    }
    return connection;
  }
}

/** One native connection. */
export class Connection {
  readonly #session: Session;
  #work: Promise<unknown> = Promise.resolve();
  busy = false;
  /** The comment at the head of the query that runs now. */
  marker: string | undefined;

  constructor(path: string, configurationFile?: string) {
    try {
      this.#session = new Session(
        path,
        configurationFile === undefined
          ? {}
          : { connectionArgs: [`--config-file=${configurationFile}`] },
      );
    } catch (error) {
      throw engineError(error);
    }
  }

  /** Runs one text and gives what it answered in `format`. */
  async run(text: string, format: string): Promise<string> {
    this.busy = true;
    const work = this.#run(text, format).finally(() => {
      this.busy = false;
    });
    this.#work = work.catch(() => {});
    return work;
  }

  /** Resolves when nothing runs on it. */
  async free(): Promise<void> {
    await this.#work;
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
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  const result = await Promise.race([work.then(() => true as const), late]);
  clearTimeout(timer);
  return result;
}
