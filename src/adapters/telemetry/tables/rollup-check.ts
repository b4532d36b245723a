import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { QueryOptions, Telemetry, Value } from '../../../ports/telemetry.ts';
import { join, literal, qualified, sql, type Sql } from '../../../sql/sql.ts';
import { rollupDifferences, rollupSources, type RollupSource } from './rollup-differences.ts';
import { logsPerMinute, readExactFrom } from './rollup.ts';
import { createTable, storedName, type SchemaOptions, type TableDeclaration } from './schema.ts';

export interface RollupCheckTiming {
  /** Pause between two looks at how long the server has been up. */
  pollMs: number;
  /**
   * Pause between two comparisons. Whoever waits for the answer to an insert has repeated it by
   * then, so a difference that both comparisons see is final.
   */
  settleMs: number;
}

const defaultTiming: RollupCheckTiming = { pollMs: 15_000, settleMs: 150_000 };

const admin: QueryOptions = { purpose: 'admin', timeoutMs: 600_000 };
/** Two starts closer than this are one: a server tells its uptime in whole seconds. */
const sameStartSeconds = 2;
/** An insert that a crash cut short began at most this long before the last part was written. */
const longestInsertSeconds = 300;
/** A start that nobody has noted is not checked after this time: it would mean too many parts. */
const forgottenAfterSeconds = 86_400;
/** Keys compared at a time. */
const maxKeys = 1000;

/** The starts of the server, and whether the rollup was compared with the logs after each. */
const starts: TableDeclaration = {
  name: 'sightline_server_starts',
  signal: 'logs',
  columns: [
    ['Started', 'DateTime'],
    ['UncertainFrom', 'DateTime'],
    ['Checked', 'UInt8'],
  ],
  indexes: [],
  orderBy: 'Started',
};

type Server = Pick<Telemetry, 'query' | 'command' | 'insert' | 'columns'>;

/** Counts of one key of the rollup: those of the logs, and its own. */
interface Difference {
  /** Minute, service, and text and number of the severity, as JSON. */
  key: string;
  logs: number;
  counted: number;
}

/**
 * Completes the rollup of a ClickHouse server that ended between an insert into the logs and the one
 * into the rollup. Others write meanwhile, and several processes may check the same server: the
 * token of each correction names what it corrects, so it is stored once.
 */
export class RollupCheck {
  readonly #server: Server;
  readonly #schema: SchemaOptions;
  readonly #timing: RollupCheckTiming;
  /** For each database the start of the server after which it was checked, or 0. */
  readonly #checked = new Map<string, number>();
  /** Differences of the comparison before, by database. */
  readonly #seen = new Map<string, readonly Difference[]>();
  readonly #end = new AbortController();
  #started = 0;
  #isRunning = false;

  constructor(server: Server, schema: SchemaOptions, timing: Partial<RollupCheckTiming> = {}) {
    this.#server = server;
    this.#schema = schema;
    this.#timing = { ...defaultTiming, ...timing };
  }

  /** Checks a database from now on: at once, and after each restart of the server. */
  watch(database: string): void {
    if (!this.#checked.has(database)) {
      this.#checked.set(database, 0);
    }
    if (!this.#isRunning) {
      this.#isRunning = true;
      void this.#run();
    }
  }

  close(): void {
    this.#end.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      // A server that does not answer is asked again, but what was seen has to stand as long.
      const isSettled = await this.#look().catch(() => this.#seen.size === 0);
      const waitMs = isSettled ? this.#timing.pollMs : this.#timing.settleMs;
      await pause(waitMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Compares what was not checked since the start of the server. False: it has to look again. */
  async #look(): Promise<boolean> {
    const started = await this.#startOfServer();
    if (Math.abs(started - this.#started) > sameStartSeconds) {
      this.#started = started;
      this.#seen.clear();
    }
    let isSettled = true;
    for (const [database, checked] of this.#checked) {
      if (checked !== this.#started && !this.#end.signal.aborted) {
        isSettled = (await this.#check(database)) && isSettled;
      }
    }
    return isSettled;
  }

  /** In seconds since the epoch, by the clock of the server. */
  async #startOfServer(): Promise<number> {
    const { rows } = await this.#server.query(
      sql`SELECT toUnixTimestamp(now()) - toInt64(uptime())`,
      { ...admin, timeoutMs: 10_000 },
    );
    return Number(rows[0]?.[0]);
  }

  async #check(database: string): Promise<boolean> {
    const uncertainFrom = await this.#uncertainFrom(database);
    const exactFromMs = await readExactFrom(this.#server, database, this.#schema);
    if (uncertainFrom !== undefined && exactFromMs !== undefined) {
      const before = this.#seen.get(database);
      const found = await this.#differences(database, uncertainFrom, exactFromMs);
      this.#seen.set(database, found);
      const isIncomplete = found.length >= maxKeys;
      const again = found.filter(({ key }) => before?.some((old) => old.key === key));
      for (const difference of again) {
        // Other counts: somebody writes to it still.
        if (before?.some((old) => isEqual(old, difference))) {
          await this.#correct(database, difference);
        }
      }
      if (before === undefined || again.length > 0 || isIncomplete) {
        return false;
      }
      await this.#note(database, uncertainFrom, 1);
    }
    this.#seen.delete(database);
    this.#checked.set(database, this.#started);
    return true;
  }

  /** Parts from then on may lack their counts. Undefined: none do, or nobody can say from when on. */
  async #uncertainFrom(database: string): Promise<number | undefined> {
    await this.#server.command(createTable(database, starts, this.#schema), admin);
    const { rows } = await this.#server.query(
      sql`SELECT toUnixTimestamp(Started), toUnixTimestamp(UncertainFrom), Checked
        FROM ${this.#table(database, starts.name)}`,
      admin,
    );
    const noted = rows.map(([started, from, isChecked]) => ({
      started: Number(started),
      from: Number(from),
      isChecked: isChecked === 1,
    }));
    const isThis = ({ started }: { started: number }): boolean =>
      Math.abs(started - this.#started) <= sameStartSeconds;
    const lastChecked = Math.max(
      ...noted.flatMap(({ started, isChecked }) => (isChecked ? started : [])),
      0,
    );
    if (lastChecked >= this.#started - sameStartSeconds) {
      return undefined;
    }
    const unchecked = noted.filter(({ started }) => started > lastChecked + sameStartSeconds);
    if (!unchecked.some(isThis)) {
      const from = await this.#lastWrite(database);
      if (from === undefined) {
        return undefined;
      }
      await this.#note(database, from, 0);
      unchecked.push({ started: this.#started, from, isChecked: false });
    }
    return Math.min(...unchecked.map(({ from }) => from));
  }

  /** When the inserts began that the end before this start may have cut short. */
  async #lastWrite(database: string): Promise<number | undefined> {
    const tables = rollupSources(this.#schema).map(({ table }) => literal(table));
    const { rows } = await this.#server.query(
      sql`SELECT toUnixTimestamp(now()), toUnixTimestamp(maxOrNull(modification_time))
        FROM system.parts WHERE database = ${database} AND table IN (${join(tables, ', ')})
          AND modification_time <= toDateTime(${this.#started})`,
      admin,
    );
    const [now, last] = rows[0] ?? [];
    return Number(now) - this.#started > forgottenAfterSeconds
      ? undefined
      : Number(last ?? this.#started) - longestInsertSeconds;
  }

  async #note(database: string, from: number, checked: 0 | 1): Promise<void> {
    await this.#server.command(
      sql`INSERT INTO ${this.#table(database, starts.name)} (Started, UncertainFrom, Checked)
        SELECT toDateTime(${this.#started}), toDateTime(${from}), ${checked}`,
      admin,
    );
  }

  async #differences(
    database: string,
    uncertainFrom: number,
    exactFromMs: number,
  ): Promise<Difference[]> {
    const minutes = rollupSources(this.#schema).map((source) =>
      minutesSince(database, source, uncertainFrom),
    );
    const range = { minutes, exactFromMs };
    const { rows } = await this.#server.query(
      sql`SELECT toUnixTimestamp(Minute), ServiceName, SeverityText, SeverityNumber, Logs, Counted
        FROM (${rollupDifferences(database, range, this.#schema)})
        ORDER BY Minute, ServiceName, SeverityText, SeverityNumber LIMIT ${maxKeys}`,
      admin,
    );
    return rows.map((row) => ({
      key: JSON.stringify(row.slice(0, 4)),
      logs: Number(row[4]),
      counted: Number(row[5]),
    }));
  }

  /** Adds the difference, which may be negative: counts are added modulo 2^64. */
  async #correct(database: string, { key, logs, counted }: Difference): Promise<void> {
    const [Minute, ServiceName, SeverityText, SeverityNumber] = JSON.parse(key) as Value[];
    const row = {
      Minute,
      ServiceName,
      SeverityText,
      SeverityNumber,
      Count: String(BigInt.asUintN(64, BigInt(logs - counted))),
    };
    const name = createHash('sha256').update(`${key} ${logs} ${counted}`);
    await this.#server.insert(
      database,
      storedName(logsPerMinute.name, this.#schema),
      {
        format: 'JSONEachRow',
        columns: Object.keys(row),
        data: Buffer.from(`${JSON.stringify(row)}\n`),
        rows: 1,
      },
      { deduplicationToken: name.digest('hex') },
    );
  }

  #table(database: string, name: string): Sql {
    return qualified(database, storedName(name, this.#schema));
  }
}

const isEqual = (left: Difference, right: Difference): boolean =>
  left.key === right.key && left.logs === right.logs && left.counted === right.counted;

/** The minutes of parts that were written since then, merged or not. */
const minutesSince = (database: string, { table, minute }: RollupSource, since: number): Sql =>
  sql`SELECT DISTINCT ${minute} AS Minute FROM ${qualified(database, table)}
    WHERE _part IN (
      SELECT name FROM system.parts
      WHERE database = ${database} AND table = ${table} AND modification_time >= toDateTime(${since})
    )`;
