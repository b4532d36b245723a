import { Fault } from '../../../../contract/errors.ts';
import type { ItemOutcome, SelectBatch } from '../../../../ports/batch.ts';
import { errorColumns } from '../../tables/destination-table.ts';
import type { Loaded } from '../records/load-records.ts';
import { JsonRowWriter } from '../records/json-row-writer.ts';
import { withoutSecrets, type SelectDestination } from '../select-statement.ts';
import { ItemLoader } from './load-items.ts';
import { StageSpread, type ShardStage } from './spread-stage.ts';
import { StageTable } from './stage-table.ts';
import { Stage } from './stage.ts';

export interface SelectLoaded extends Loaded {
  /** The only table that remains of the range. Absent: an earlier attempt may have left others. */
  remainingTable?: string;
}

/**
 * Stores what the engine reads by itself, completely or not at all. The rows are loaded into a table
 * beside the target, which is renamed when it is complete: from then on nothing is read again. Then
 * its partitions are moved, after `beforeShow`. `key` names the range: a repeated call continues after a crash at any
 * point. Call `forgetSelect` after the position is recorded.
 *
 * Bad items drop out, each with its reason in the error table. If the engine keeps no parts for the
 * target (Null, a view, Distributed), the rows are inserted from the stage: at least once if the
 * process dies at that moment.
 * @throws TelemetryError for what is not the source's fault, without secrets of the source
 */
export async function loadSelect(
  to: SelectDestination,
  batch: SelectBatch,
  key: string,
  signal: AbortSignal,
  beforeShow: () => Promise<void>,
): Promise<SelectLoaded> {
  try {
    const stage = stageOf(to, batch, key, signal);
    const isTakenOver = await stage.takeOver();
    const outcomes = isTakenOver
      ? await batch.recordedOutcomes()
      : await fillStage(stage, to, batch, signal);
    const complete = to.slots ? await spread(stage, to, batch, key, signal) : [stage];
    await beforeShow();
    for (const each of complete) {
      await each.show(
        to.columns.map(({ name }) => name),
        to.viewSettings,
      );
    }
    const refused = outcomes.filter(({ state }) => state === 'refused');
    if (refused.length > 0) {
      await insertErrors(to, batch.partition, refused, key, signal);
    }
    return {
      rows: outcomes.reduce((sum, { rows }) => sum + rows, 0),
      bytes: batch.bytes,
      errors: refused.length,
      ...(isTakenOver || to.slots ? {} : { remainingTable: stage.ready }),
    };
  } catch (error) {
    throw withoutSecrets(error, batch.secrets);
  }
}

/** Loads, has the outcomes recorded, and makes the stage ready. */
async function fillStage(
  stage: Stage,
  to: SelectDestination,
  batch: SelectBatch,
  signal: AbortSignal,
): Promise<readonly ItemOutcome[]> {
  try {
    const { table, outcomes } = await new ItemLoader(stage, to, batch, signal).load();
    const filled = new StageTable(stage, to, table, signal);
    await record(batch, outcomes, filled);
    await publish(stage, table, () => record(batch, [], filled));
    return outcomes;
  } catch (error) {
    await stage.abandon().catch(() => undefined);
    throw error;
  }
}

/** Copies the rows of the ready stage to the shards where they belong. Returns their ready stages. */
function spread(
  source: Stage,
  to: SelectDestination,
  batch: SelectBatch,
  key: string,
  signal: AbortSignal,
): Promise<readonly Stage[]> {
  const stages = shardStages(to, batch, key, signal);
  const ready = new StageTable(source, to, source.ready, signal);
  const place = { source, home: to.shard, shards: to.shards, database: to.database };
  return new StageSpread(place, stages).run((stage, table) =>
    publish(stage, table, () => record(batch, [], ready)),
  );
}

/** @throws Fault `conflict` if another reader owns the partition */
async function record(
  batch: SelectBatch,
  outcomes: readonly ItemOutcome[],
  stage: StageTable,
): Promise<void> {
  if (!(await batch.recordOutcomes(outcomes, stage))) {
    throw new Fault('conflict', 'another process reads these objects now');
  }
}

/** A reader that was replaced meanwhile drops its own ready table. */
async function publish(stage: Stage, table: string, confirm: () => Promise<void>): Promise<void> {
  await stage.publish(table);
  await confirm().catch(async (error: unknown) => {
    await stage.drop(stage.ready);
    throw error;
  });
}

/**
 * Drops the stage after the position is recorded. `remainingTable`: the one that `loadSelect`
 * returned.
 */
export async function forgetSelect(
  to: SelectDestination,
  batch: SelectBatch,
  key: string,
  remainingTable: string | undefined,
): Promise<void> {
  for (const { stage } of to.slots ? shardStages(to, batch, key) : []) {
    await stage.forget();
  }
  const stage = stageOf(to, batch, key);
  await (remainingTable === undefined ? stage.forget() : stage.drop(remainingTable));
}

function stageOf(
  { shard, database, table, pipeId, timeoutMs, slots }: SelectDestination,
  { partition, bytes }: SelectBatch,
  key: string,
  signal?: AbortSignal,
): Stage {
  const isSource = slots !== undefined;
  const place = { database, table, pipeId, partition, timeoutMs, bytes, isSource };
  return new Stage(shard, place, key, signal);
}

/** One stage for each shard. Their tables are apart from those of the range's own stage. */
function shardStages(
  { shards, database, table, pipeId, timeoutMs, slots = [] }: SelectDestination,
  { partition, bytes }: SelectBatch,
  key: string,
  signal?: AbortSignal,
): ShardStage[] {
  const place = { database, table, pipeId, partition: `${partition}/slots`, timeoutMs, bytes };
  return shards.all().map((shard) => ({
    stage: new Stage(shard, place, key, signal),
    shard,
    slot: slots.find((one) => one.shard.name === shard.name)?.slot,
  }));
}

async function insertErrors(
  to: SelectDestination,
  partition: string,
  refused: readonly ItemOutcome[],
  key: string,
  signal: AbortSignal,
): Promise<void> {
  const rows = new JsonRowWriter(refused.length * 512);
  for (const { name, reason } of refused) {
    rows.text(
      JSON.stringify({
        pipe_id: to.pipeId,
        time: new Date().toISOString(),
        partition,
        position: name,
        record_time: null,
        reason: reason ?? '',
        raw: '',
      }),
    );
    rows.endRow();
  }
  await to.shard.insert(
    to.database,
    to.errorTable,
    { format: 'JSONEachRow', columns: errorColumns, data: rows.take(), rows: rows.rows },
    { deduplicationToken: `${key}:errors`, purpose: 'pipe', foreign: true, signal },
  );
}
