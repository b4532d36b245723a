import { Fault } from '../../../../contract/errors.ts';
import type { ItemOutcome, SelectBatch } from '../../../../ports/batch.ts';
import type { Telemetry } from '../../../../ports/telemetry.ts';
import { errorColumns, errorTableName } from '../../tables/destination-table.ts';
import type { Loaded } from '../records/load-records.ts';
import { JsonRowWriter } from '../records/json-row-writer.ts';
import { withoutSecrets, type SelectDestination } from '../select-statement.ts';
import { ItemLoader } from './load-items.ts';
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
  telemetry: Telemetry,
  to: SelectDestination,
  batch: SelectBatch,
  key: string,
  signal: AbortSignal,
  beforeShow: () => Promise<void>,
): Promise<SelectLoaded> {
  try {
    const stage = stageOf(telemetry, to, batch, key, signal);
    const isTakenOver = await stage.takeOver();
    const outcomes = isTakenOver
      ? await batch.recordedOutcomes()
      : await fillStage(stage, to, batch, signal);
    await beforeShow();
    await stage.show(to.columns.map(({ name }) => name));
    const refused = outcomes.filter(({ state }) => state === 'refused');
    if (refused.length > 0) {
      await insertErrors(telemetry, to, batch.partition, refused, key, signal);
    }
    return {
      rows: outcomes.reduce((sum, { rows }) => sum + rows, 0),
      bytes: batch.bytes,
      errors: refused.length,
      ...(isTakenOver ? {} : { remainingTable: stage.ready }),
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
    const record = async (some: readonly ItemOutcome[]): Promise<void> => {
      if (!(await batch.recordOutcomes(some, new StageTable(stage, to, table, signal)))) {
        throw new Fault('conflict', 'another process reads these objects now');
      }
    };
    await record(outcomes);
    await stage.publish(table);
    // A reader that was replaced between the two steps stops here and drops its own ready table.
    await record([]).catch(async (error: unknown) => {
      await stage.drop(stage.ready);
      throw error;
    });
    return outcomes;
  } catch (error) {
    await stage.abandon().catch(() => undefined);
    throw error;
  }
}

/**
 * Drops the stage after the position is recorded. `remainingTable`: the one that `loadSelect`
 * returned.
 */
export async function forgetSelect(
  telemetry: Telemetry,
  to: SelectDestination,
  batch: SelectBatch,
  key: string,
  remainingTable: string | undefined,
): Promise<void> {
  const stage = stageOf(telemetry, to, batch, key);
  await (remainingTable === undefined ? stage.forget() : stage.drop(remainingTable));
}

function stageOf(
  telemetry: Telemetry,
  { database, table, pipeId, timeoutMs }: SelectDestination,
  { partition, bytes }: SelectBatch,
  key: string,
  signal?: AbortSignal,
): Stage {
  const place = { database, table, pipeId, partition, timeoutMs, bytes };
  return new Stage(telemetry, place, key, signal);
}

async function insertErrors(
  telemetry: Telemetry,
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
  await telemetry.insert(
    to.database,
    errorTableName(to.table),
    { format: 'JSONEachRow', columns: errorColumns, data: rows.take(), rows: rows.rows },
    { deduplicationToken: `${key}:errors`, purpose: 'pipe', foreign: true, signal },
  );
}
