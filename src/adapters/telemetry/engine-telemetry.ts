import { randomUUID } from 'node:crypto';
import {
  TelemetryError,
  type Column,
  type EngineProcessStatus,
  type InsertOptions,
  type Purpose,
  type QueryOptions,
  type QueryResult,
  type RowBlock,
  type TakeRows,
  type Telemetry,
} from '../../ports/telemetry.ts';
import { identifier, qualified, sql, type Sql } from '../../sql/sql.ts';
import { CastPlans } from './cast-plans.ts';
import { outputSettings, readCompactResult } from './compact-result.ts';
import type { Engine, EngineCall, EngineInsert, RowCast } from './engine.ts';
import { freeGiven } from './given-memory.ts';
import { InsertGate } from './insert-gate.ts';
import { limitSettings } from './limits.ts';
import { migrate } from './migrate.ts';
import { lateIndexes } from './tables/late-indexes.ts';
import { logs } from './tables/logs.ts';
import {
  trustOwnViews,
  trustViews,
  withTrustedViews,
  type ViewRights,
} from './rights/trusted-views.ts';
import { recountLogs } from './tables/recount.ts';
import { RollupCheck, type RollupCheckTiming } from './tables/rollup-check.ts';
import { readExactFrom } from './tables/rollup.ts';
import type { SchemaOptions } from './tables/schema.ts';

const adminLimits = { timeoutMs: 60_000 };
const insertTimeoutMs = 60_000;

type Settings = Readonly<Record<string, string>>;

/** The port over either engine: what they share. */
export class EngineTelemetry implements Telemetry {
  readonly #engine: Engine;
  readonly #schema: SchemaOptions;
  readonly #columns = new Map<string, Promise<Column[]>>();
  readonly #casts = new CastPlans(this);

  /** Noted once in a database's life, so what has been read stays true. */
  readonly #exactFrom = new Map<string, number>();
  readonly #gate = new InsertGate();
  readonly #migrated = new Set<string>();
  /** Databases whose rollup may differ from the logs. */
  readonly #uncertain = new Set<string>();
  /** Of a server, which others may write to as well. */
  readonly #rollupCheck: RollupCheck | undefined;

  constructor(engine: Engine, schema: SchemaOptions, timing?: Partial<RollupCheckTiming>) {
    this.#engine = engine;
    this.#schema = schema;
    this.#rollupCheck = engine.embedded ? undefined : new RollupCheck(this, schema, timing);
    engine.process?.onRestart(() => void this.#recountAll());
  }

  get embedded(): boolean {
    return this.#engine.embedded;
  }

  get guardsEgress(): boolean {
    return this.#engine.guardsEgress;
  }

  relayFor(origin: string): Promise<string | undefined> {
    return this.#engine.relayFor(origin);
  }

  get engineProcess(): EngineProcessStatus | undefined {
    return this.#engine.process;
  }

  /** @param more settings of this query besides those of every query */
  async query(statement: Sql, options: QueryOptions, more: Settings = {}): Promise<QueryResult> {
    refuseOwnFormat(statement.text);
    const text = await this.#engine.read(statement.text, queryCall(options, more));
    return readCompactResult(text);
  }

  async stream(
    statement: Sql,
    options: QueryOptions,
    take: TakeRows,
    more: Settings = {},
  ): Promise<void> {
    refuseOwnFormat(statement.text);
    const spilling = { max_bytes_before_external_sort: String(sortMemoryBytes) };
    const call = queryCall(options, { ...more, ...spilling });
    await this.#engine.stream(statement.text, call, take);
  }

  async command(statement: Sql, options: QueryOptions): Promise<void> {
    await withTrustedViews(this.#views(options.purpose, options.tenant), () =>
      this.#engine.execute(statement.text, {
        purpose: options.purpose,
        timeoutMs: options.timeoutMs,
        signal: options.signal,
        tenant: options.tenant,
        settings: limitSettings(options),
        waitsForSource: options.waitsForSource,
      }),
    );
  }

  async insert(
    database: string,
    table: string,
    block: RowBlock,
    options: InsertOptions = {},
  ): Promise<void> {
    if (block.rows === 0) {
      return;
    }
    await (this.embedded && table === logs.name
      ? this.#gate.pass(database, () => this.#insert(database, table, block, options))
      : this.#insert(database, table, block, options));
    freeGiven(block, options);
  }

  async #insert(
    database: string,
    table: string,
    block: RowBlock,
    options: InsertOptions,
  ): Promise<void> {
    const cast = await this.#rowCast(database, table, block, options);
    const insert: EngineInsert = {
      purpose: options.purpose ?? 'ingest',
      tenant: database,
      timeoutMs: options.timeoutMs ?? insertTimeoutMs,
      signal: options.signal,
      settings: {
        ...insertSettings(block.rows, options.deduplicationToken),
        ...inputSettings(options),
        ...(options.distinct ? { optimize_on_insert: '0' } : {}),
        ...(this.embedded && options.purpose === 'ingest' ? withoutLateIndexes : {}),
        ...(cast ? { max_threads: '1' } : {}),
      },
      target: qualified(database, table).text,
      columns: block.columns.map((name) => identifier(name).text).join(', '),
      block,
      cast,
    };
    await withTrustedViews(this.#views(insert.purpose, database), () =>
      this.#engine.insert(insert),
    );
  }

  async #rowCast(
    database: string,
    table: string,
    { format, columns }: RowBlock,
    { slot, foreign = false }: InsertOptions,
  ): Promise<RowCast | undefined> {
    const isStrict = foreign && format === 'JSONEachRow';
    if (slot) {
      return this.#casts.slotPlan(database, table, columns, { slot, isStrict });
    }
    return isStrict ? this.#casts.plan(database, table, columns) : undefined;
  }

  #views(purpose: Purpose, database: string | undefined): ViewRights {
    return {
      trust: () =>
        this.embedded || database === undefined
          ? trustViews(this)
          : trustOwnViews(this, database, this.#schema),
      withdraw: (reason) =>
        database !== undefined && this.#engine.withdraw(purpose, database, reason),
    };
  }

  columns(database: string, table: string, tenant = database): Promise<Column[]> {
    if (tenant !== database) {
      return this.#columnsShownTo(tenant, database, table);
    }
    const key = qualified(database, table).text;
    const cached = this.#columns.get(key);
    if (cached) {
      return cached;
    }
    const read = this.#readColumns(database, table, { purpose: 'admin', ...adminLimits });
    this.#columns.set(key, read);
    void this.#keepIfFound(key, read);
    return read;
  }

  forgetColumns(database: string, table: string): void {
    this.#columns.delete(qualified(database, table).text);
    this.#casts.forget(database, table);
  }

  async migrate(database: string): Promise<readonly string[]> {
    const steps = await migrate(this, database, this.#schema);
    if (this.embedded) {
      await trustViews(this);
    }
    this.#columns.clear();
    this.#casts.clear();
    this.#exactFrom.clear();
    const isFirst = !this.#migrated.has(database);
    this.#migrated.add(database);
    if (isFirst && this.#engine.process?.endedUncleanly && (await this.#recount(database)) > 0) {
      return [...steps, 'log counts by minute recounted'];
    }
    this.#rollupCheck?.watch(database);
    return steps;
  }

  /** The engine has restarted: inserts that were not repeated may be half done. */
  async #recountAll(): Promise<void> {
    for (const database of this.#migrated) {
      // A failure leaves the database uncertain: the next start recounts it.
      await this.#recount(database).catch(() => {});
    }
  }

  async #recount(database: string): Promise<number> {
    this.#uncertain.add(database);
    const count = await this.#gate.close(database, () => recountLogs(this, database));
    this.#uncertain.delete(database);
    return count;
  }

  rollupExactFrom(database: string): Promise<number | undefined> {
    const cached = this.#exactFrom.get(database);
    if (cached !== undefined) {
      return Promise.resolve(cached);
    }
    return this.#readExactFrom(database);
  }

  ping(timeoutMs: number): Promise<void> {
    return this.#engine.ping(timeoutMs);
  }

  close(withinMs?: number): Promise<void> {
    this.#rollupCheck?.close();
    // A command that only looks leaves what a crash has left to the next start of the server.
    const isUnchecked = this.#engine.process?.endedUncleanly && this.#migrated.size === 0;
    return this.#engine.close({ clean: this.#uncertain.size === 0 && !isUnchecked, withinMs });
  }

  async #readExactFrom(database: string): Promise<number | undefined> {
    const from = await readExactFrom(this, database);
    if (from !== undefined) {
      this.#exactFrom.set(database, from);
    }
    return from;
  }

  /** A table that is not there yet, or an engine that did not answer, is asked again next time. */
  async #keepIfFound(key: string, read: Promise<Column[]>): Promise<void> {
    const columns = await read.catch(() => []);
    if (columns.length === 0 && this.#columns.get(key) === read) {
      this.#columns.delete(key);
    }
  }

  /** The engine shows a user the tables of its own database only. */
  async #columnsShownTo(tenant: string, database: string, table: string): Promise<Column[]> {
    return (await this.#engine.confines('chart', tenant))
      ? this.#readColumns(database, table, { purpose: 'chart', tenant, ...adminLimits })
      : [];
  }

  async #readColumns(database: string, table: string, options: QueryOptions): Promise<Column[]> {
    const statement = sql`SELECT name, type FROM system.columns
WHERE database = ${database} AND table = ${table} ORDER BY position`;
    const { rows } = await this.query(statement, options);
    return rows.map(([name, type]) => ({ name: String(name), type: String(type) }));
  }
}

/** Beyond it, the engine sorts the rows of a stream on its disk. */
const sortMemoryBytes = 256 * 1024 * 1024;

/**
 * Otherwise the engine reads a map once for each key that a statement names, and takes twice as long
 * for two.
 */
const readSettings = { optimize_functions_to_subcolumns: '0' };

const queryCall = (options: QueryOptions, more: Settings): EngineCall => ({
  purpose: options.purpose,
  timeoutMs: options.timeoutMs,
  signal: options.signal,
  tenant: options.tenant,
  settings: { ...outputSettings, ...readSettings, ...limitSettings(options), ...more },
});

/**
 * One block of rows becomes one block of the engine's, so that it is stored whole or not at all and
 * its token names it. Without a token an equal block is another block, as two clients may well send
 * the same rows: a token of its own says so to every version of the engine, where the settings that
 * switch deduplication off have changed.
 */
function insertSettings(rows: number, token: string | undefined): Record<string, string> {
  return {
    insert_deduplicate: '1',
    insert_deduplication_token: token ?? randomUUID(),
    // The rollup is fed through the same token: a repeat after a crash between the two completes
    // it, and counts nothing twice.
    deduplicate_blocks_in_dependent_materialized_views: '1',
    async_insert: '0',
    max_insert_threads: '1',
    input_format_parallel_parsing: '0',
    max_insert_block_size: String(rows + 1),
    min_insert_block_size_rows: String(rows + 1),
    min_insert_block_size_bytes: '0',
  };
}

/** Parts that no merge has reached yet lack these indexes. Servers of older versions do not know it. */
const withoutLateIndexes = { exclude_materialize_skip_indexes_on_insert: lateIndexes.join(',') };

/**
 * How rows from outside are read. All of it is named in every insert of that sort, so that a
 * server's own defaults do not matter.
 */
function inputSettings({
  foreign = false,
  ownNotation = false,
  leaveOutBadRows = false,
}: InsertOptions): Record<string, string> {
  return {
    ...(ownNotation ? { input_format_null_as_default: '1', date_time_input_format: 'basic' } : {}),
    ...(foreign
      ? {
          input_format_skip_unknown_fields: '1',
          input_format_null_as_default: '1',
          input_format_defaults_for_omitted_fields: '1',
          date_time_input_format: 'best_effort',
        }
      : {}),
    ...(leaveOutBadRows
      ? { input_format_allow_errors_num: '4294967295', input_format_allow_errors_ratio: '1' }
      : {}),
  };
}

/**
 * The adapter appends FORMAT and SETTINGS; a text with a FORMAT of its own would make the engine's
 * message puzzling.
 */
function refuseOwnFormat(text: string): void {
  if (/\bFORMAT\s+[A-Za-z]\w*\s*;?\s*$/i.test(text)) {
    throw new TelemetryError(
      'syntax',
      'a query must not contain FORMAT: the adapter sets the format',
    );
  }
}
