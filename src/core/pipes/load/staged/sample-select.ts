import { invalid } from '../../../../contract/errors.ts';
import type { PipeDefinition } from '../../../../contract/pipe/pipe.ts';
import type { RowCount, SelectBatch, SelectStage, StageRows } from '../../../../ports/batch.ts';
import { TelemetryError, type TelemetryShard } from '../../../../ports/telemetry.ts';
import { qualified, sql, type Sql } from '../../../../sql/sql.ts';
import type { RowTable } from '../records/row-destination.ts';
import { engineHasSetting } from '../engine-setting.ts';
import { selectedColumns } from '../select-destination.ts';
import {
  insertSelect,
  probeStatement,
  withoutSecrets,
  type SelectTarget,
} from '../select-statement.ts';
import { mayBeTheSource } from './stage-table.ts';

const rowsMax = 10;
const timeoutMs = 30_000;
const maxMemoryBytes = 2 ** 30;

/**
 * Has the engine read a few rows of what it reads by itself, into a table of the pipe's columns
 * that keeps nothing.
 * @throws Fault `bad_request`, naming the item and the reason
 */
export async function checkSelect(
  table: RowTable,
  source: { kind: string },
  definition: PipeDefinition,
  batch: SelectBatch,
): Promise<void> {
  const [item] = batch.items;
  if (item === undefined) {
    return;
  }
  const to = { columns: selectedColumns(definition), settings: undefined };
  const stage = new SampleStage(table, to);
  const reason = await sampleReason(batch, item, stage);
  if (reason !== undefined) {
    const message = `${batch.label} cannot be stored: ${reason}`;
    throw invalid([{ path: `source.${source.kind}`, message }]);
  }
}

/** Why the sample cannot be stored; undefined if it can. */
async function sampleReason(
  batch: SelectBatch,
  item: string,
  stage: SampleStage,
): Promise<string | undefined> {
  const unknown = 'the engine cannot read it';
  try {
    const outcomes = await batch.load(stage, batch.items);
    const bad = outcomes.find(({ state }) => state !== 'loaded');
    return bad && (bad.reason ?? unknown);
  } catch (error) {
    const shown = withoutSecrets(error, batch.secrets);
    if (!(shown instanceof TelemetryError) || shown.kind === 'unavailable') {
      throw shown;
    }
    return batch.outcomeOf(shown, item).reason ?? unknown;
  }
}

/** Reads the first rows into a table that keeps none. */
class SampleStage implements SelectStage {
  readonly #shard: TelemetryShard;
  readonly #target: Sql;
  readonly #tenant: string;
  readonly #to: SelectTarget;
  readonly signal = AbortSignal.timeout(timeoutMs);

  constructor({ shard, database, table }: RowTable, to: SelectTarget) {
    this.#shard = shard;
    this.#tenant = database;
    this.#target = qualified(database, table);
    this.#to = to;
  }

  async insert({ source, settings, count }: StageRows): Promise<ReadonlyMap<string, RowCount>> {
    const first = sql`(SELECT * FROM ${source} LIMIT ${rowsMax})`;
    await this.#run(insertSelect(this.#to, this.#target, first, settings));
    if (!count) {
      return new Map();
    }
    const { rows } = await this.#shard.query(
      sql`SELECT item, toString(count()), toString(countIf(filled != 0))
        FROM (SELECT ${count.item} AS item, ${count.filled} AS filled FROM ${source}
          LIMIT ${rowsMax})
        GROUP BY item`,
      { purpose: 'pipe', tenant: this.#tenant, timeoutMs },
    );
    return new Map(
      rows.map(([item, total, filled]) => [
        String(item),
        { rows: Number(total), filled: Number(filled), version: undefined },
      ]),
    );
  }

  async probe(rows: Pick<StageRows, 'source' | 'settings'>): Promise<Error | undefined> {
    try {
      await this.#run(probeStatement(rows.source, rows.settings));
      return undefined;
    } catch (error) {
      if (mayBeTheSource(error, this.signal)) {
        return error;
      }
      throw error;
    }
  }

  hasSetting(name: string): Promise<boolean> {
    return engineHasSetting(this.#shard, name);
  }

  #run(statement: Sql): Promise<void> {
    return this.#shard.command(statement, {
      purpose: 'pipe',
      tenant: this.#tenant,
      timeoutMs,
      maxMemoryBytes,
    });
  }
}
