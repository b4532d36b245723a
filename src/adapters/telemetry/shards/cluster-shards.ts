import {
  TelemetryError,
  type Telemetry,
  type TelemetryShard,
  type TelemetryShards,
} from '../../../ports/telemetry.ts';
import { literal, qualified, sql } from '../../../sql/sql.ts';
import { chooseShard } from './choose-shard.ts';
import {
  createDistributed,
  prepareReplacement,
  stored,
  type SharedTable,
} from './distributed-tables.ts';
import { ShardView } from './shard-view.ts';
import { awayError, isPresent, type Shard, type Shards } from './shards.ts';

const admin = { purpose: 'admin', timeoutMs: 120_000 } as const;

/** The shards of a cluster, for work on the tables of each. */
export class ClusterShards implements TelemetryShards {
  readonly #shards: Shards;
  readonly #cluster: string;
  readonly #views: readonly ShardView[];

  constructor(shards: Shards, cluster: string) {
    this.#shards = shards;
    this.#cluster = cluster;
    this.#views = shards.all.map((shard) => new ShardView(shard, shards));
  }

  present(): readonly TelemetryShard[] {
    return this.#views.filter((_, index) => isPresent(this.#shards.all[index]!));
  }

  all(): readonly TelemetryShard[] {
    const { away } = this.#shards;
    if (away.length > 0) {
      throw awayError(away);
    }
    return this.#views;
  }

  named(name: string | null): TelemetryShard | undefined {
    return this.#views.find((view) => view.name === name);
  }

  choose(token: string, among: readonly TelemetryShard[]): TelemetryShard | undefined {
    const candidates = among.map((shard) => ({ name: shard.name ?? '', shard }));
    return chooseShard(token, candidates)?.shard;
  }

  async adopt(
    database: string,
    name: string,
    commentOf: (comment: string) => string | undefined,
  ): Promise<void> {
    for (const [index, shard] of this.#shards.all.entries()) {
      const view = this.#views[index]!;
      const found = isPresent(shard) ? await readTable(view, database, name) : undefined;
      if (found?.engine === 'Distributed') {
        this.#requireOurs(shard, { database, name }, found.definition);
      } else if (found) {
        const comment = commentOf(found.comment);
        if (comment === undefined) {
          throw this.#taken(shard, { database, name }, 'holds rows of this shard alone');
        }
        await this.#rename(view, { database, name, cluster: this.#cluster }, comment);
      }
    }
  }

  async #rename(view: ShardView, table: SharedTable, comment: string): Promise<void> {
    const { database, name } = table;
    try {
      await view.command(
        sql`ALTER TABLE ${qualified(database, name)} MODIFY COMMENT ${literal(comment)}`,
        admin,
      );
      await view.command(await prepareReplacement(view, table), admin);
    } catch (error) {
      // Another process may have done it already.
      if ((await readTable(view, database, name))?.engine !== 'Distributed') {
        throw error;
      }
    }
  }

  /** Rows go to the tables of the shards by our own rule, so a key of the operator's would not hold. */
  #requireOurs(shard: Shard, table: { database: string; name: string }, definition: string): void {
    const { database, name } = table;
    const rows = sql`, ${database}, ${stored(name)}`.text;
    const [, cluster, rest = ''] = /^Distributed\(('.*?')(, .*)$/.exec(definition) ?? [];
    const isOurs = rest === `${rows})`;
    if (isOurs) {
      return;
    }
    if (cluster !== literal(this.#cluster).text || !rest.startsWith(`${rows}, `)) {
      throw this.#taken(shard, table, `is ${definition}`);
    }
    if (!rest.startsWith(`${rows}, rand()`)) {
      const key = rest.slice(rows.length + 2).replace(/\)[^)]*$/, '');
      throw this.#taken(shard, table, `has the sharding key ${key}`);
    }
  }

  #taken(
    { number, name: shard }: Shard,
    { database, name }: { database: string; name: string },
    reason: string,
  ): TelemetryError {
    const own = sql`Distributed(${this.#cluster}, ${database}, ${stored(name)})`.text;
    return new TelemetryError(
      'other',
      `table "${name}" on shard ${number} (${shard}) ${reason}. On every shard, a pipe needs a table ` +
        `"${stored(name)}" with the rows of the shard, and a table "${name}" with ENGINE = ${own}`,
    );
  }

  async share(database: string, tables: readonly string[]): Promise<void> {
    for (const view of this.present()) {
      for (const name of tables) {
        await createDistributed(view, { database, name, cluster: this.#cluster });
        view.forgetColumns(database, name);
      }
    }
  }
}

async function readTable(
  server: Pick<Telemetry, 'query'>,
  database: string,
  table: string,
): Promise<{ engine: string; definition: string; comment: string } | undefined> {
  const { rows } = await server.query(
    sql`SELECT engine, engine_full, comment FROM system.tables
      WHERE database = ${database} AND name = ${table}`,
    admin,
  );
  const [engine, definition, comment] = (rows[0] ?? []).map(String);
  return engine === undefined
    ? undefined
    : { engine, definition: definition ?? '', comment: comment ?? '' };
}
