import {
  TelemetryError,
  type Column,
  type EngineProcessStatus,
  type InsertOptions,
  type IntakeLogStatus,
  type QueryOptions,
  type QueryResult,
  type RowBlock,
  type TakeRows,
  type Telemetry,
} from '../../../ports/telemetry.ts';
import type { Sql } from '../../../sql/sql.ts';
import { freeGiven } from '../given-memory.ts';
import type { Appended, IntakeLog } from './intake-log.ts';

/** Larger blocks are worth an insert of their own. */
const maxLoggedRows = 20_000;

/** How often a wait for the log looks whether it still has to wait. */
const lookMs = 100;
/** How long charts and alerts wait while no engine runs: as for a restart on purpose. */
const restartMs = 4_000;

/**
 * The embedded engine with a log before it. Small blocks of OTLP are acknowledged when the log has
 * them. Every statement first waits until the engine has the blocks that were acknowledged before.
 */
export class LoggedTelemetry implements Telemetry {
  readonly #engine: Telemetry;
  readonly #intake: IntakeLog;

  constructor(engine: Telemetry, intake: IntakeLog) {
    this.#engine = engine;
    this.#intake = intake;
  }

  get embedded(): boolean {
    return this.#engine.embedded;
  }

  get guardsEgress(): boolean {
    return this.#engine.guardsEgress;
  }

  get engineProcess(): EngineProcessStatus | undefined {
    return this.#engine.engineProcess;
  }

  get intakeLog(): IntakeLogStatus {
    return this.#intake;
  }

  async query(statement: Sql, options: QueryOptions): Promise<QueryResult> {
    return this.#engine.query(statement, await this.#afterIntake(options));
  }

  async stream(statement: Sql, options: QueryOptions, take: TakeRows): Promise<void> {
    return this.#engine.stream(statement, await this.#afterIntake(options), take);
  }

  async command(statement: Sql, options: QueryOptions): Promise<void> {
    return this.#engine.command(statement, await this.#afterIntake(options));
  }

  async insert(
    database: string,
    table: string,
    block: RowBlock,
    options: InsertOptions = {},
  ): Promise<void> {
    const appended = await this.#append(database, table, block, options);
    if (!appended) {
      await this.#engine.insert(database, table, block, options);
    } else if (appended.isCopy) {
      freeGiven(block, options);
    }
  }

  async migrate(database: string): Promise<readonly string[]> {
    await this.#intake.settled();
    return this.#engine.migrate(database);
  }

  columns(database: string, table: string, tenant?: string): Promise<Column[]> {
    return this.#engine.columns(database, table, tenant);
  }

  forgetColumns(database: string, table: string): void {
    this.#engine.forgetColumns(database, table);
  }

  rollupExactFrom(database: string): Promise<number | undefined> {
    return this.#engine.rollupExactFrom(database);
  }

  ping(timeoutMs: number): Promise<void> {
    return this.#engine.ping(timeoutMs);
  }

  relayFor(origin: string): Promise<string | undefined> {
    return this.#engine.relayFor(origin);
  }

  async close(withinMs = 5_000): Promise<void> {
    const startMs = performance.now();
    await this.#intake.close(withinMs / 2);
    await this.#engine.close(withinMs - (performance.now() - startMs));
  }

  /** Undefined: the block has to be inserted. */
  async #append(
    database: string,
    table: string,
    block: RowBlock,
    { purpose, days }: InsertOptions,
  ): Promise<Appended | undefined> {
    const intake = this.#intake;
    const { format, columns, rows } = block;
    const isSmall = rows > 0 && rows < maxLoggedRows;
    if (purpose !== 'ingest' || days === undefined || !isSmall) {
      return undefined;
    }
    if (!intake.takes(database, table) || !(await intake.hasRoom())) {
      return undefined;
    }
    try {
      const data = piecesOf(block);
      return await intake.append({ database, table, format, columns, rows, days, data });
    } catch {
      // The insert says why the disk takes nothing, or succeeds.
      return undefined;
    }
  }

  /** Answers the options with the time that is left. */
  async #afterIntake(options: QueryOptions): Promise<QueryOptions> {
    const { purpose, tenant, timeoutMs, signal } = options;
    // Pipes do not read the tables of telemetry.
    const reads = purpose !== 'pipe' && purpose !== 'load';
    const settled = reads ? this.#intake.settled(tenant) : undefined;
    if (settled === undefined) {
      return options;
    }
    const startMs = performance.now();
    const elapsedMs = (): number => performance.now() - startMs;
    const isQuestion = purpose === 'chart' || purpose === 'alert' || purpose === 'export';
    let downSinceMs: number | undefined;
    while (!(await endsSoon(settled))) {
      if (signal?.aborted === true) {
        throw new TelemetryError('aborted', 'stopped', { cause: signal.reason });
      }
      if (elapsedMs() > timeoutMs) {
        throw new TelemetryError('timeout', 'acknowledged telemetry is not in the engine yet');
      }
      const isDown = this.#engine.engineProcess?.pid === undefined;
      downSinceMs = isDown ? (downSinceMs ?? performance.now()) : undefined;
      if (isQuestion && downSinceMs !== undefined && performance.now() - downSinceMs > restartMs) {
        throw new TelemetryError('unavailable', 'the telemetry engine is starting; try again');
      }
    }
    return { ...options, timeoutMs: Math.max(1, Math.ceil(timeoutMs - elapsedMs())) };
  }
}

const piecesOf = ({ data }: RowBlock): readonly Buffer[] => (Buffer.isBuffer(data) ? [data] : data);

async function endsSoon(work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const look = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), lookMs);
  });
  try {
    return await Promise.race([work.then(() => true), look]);
  } finally {
    clearTimeout(timer);
  }
}
