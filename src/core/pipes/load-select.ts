import { Fault } from '../../contract/errors.ts';
import type { SelectBatch } from '../../ports/connector.ts';
import type { ObjectOutcome } from '../../ports/object-ledger.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import { errorColumns, errorTableName } from './destination-table.ts';
import { loadPieces } from './load-pieces.ts';
import type { Loaded } from './load-records.ts';
import { RowWriter } from './row-writer.ts';
import { insertSelect, withoutSecrets, type SelectDestination } from './select-statement.ts';
import { Stage } from './stage.ts';

/**
 * Stores what the engine reads by itself, whole or not at all. It is loaded into a table beside the target, which is renamed when it is
 * complete: the rename is the moment from which on nothing is read again. Then its partitions are moved. `key` names the range: doing all this again after
 * dying at any point goes on where it stood. Call `forgetSelect` once the position is recorded.
 *
 * A batch of pieces loses those that are bad, each with its reason in the error table. Into a target of which the engine keeps no parts (Null, a
 * view, Distributed) the rows are inserted from that table: at least once, when a process dies just then.
 * @throws TelemetryError for what is not the source's fault; nothing of the source's secrets is in it.
 */
export async function loadSelect(
  telemetry: Telemetry,
  to: SelectDestination,
  batch: SelectBatch,
  key: string,
  signal: AbortSignal,
): Promise<SelectLoaded> {
  try {
    return await loadStaged(
      telemetry,
      to,
      batch,
      stageOf(telemetry, to, batch, key, signal),
      key,
      signal,
    );
  } catch (error) {
    throw withoutSecrets(error, batch.secrets ?? []);
  }
}

export interface SelectLoaded extends Loaded {
  /** The one table that is left of the range, where no earlier attempt can have left another. */
  left: string | undefined;
}

async function loadStaged(
  telemetry: Telemetry,
  to: SelectDestination,
  batch: SelectBatch,
  stage: Stage,
  key: string,
  signal: AbortSignal,
): Promise<SelectLoaded> {
  let outcomes: readonly ObjectOutcome[];
  const takenOver = await stage.takeOver();
  if (takenOver) {
    outcomes = (await batch.pieces?.settled()) ?? [];
  } else {
    try {
      outcomes = await readInto(stage, to, batch, signal);
    } catch (error) {
      await stage.abandon().catch(() => undefined);
      throw error;
    }
  }
  const shown = await stage.show(to.columns.map(({ name }) => name));
  const refused = outcomes.filter(({ state }) => state === 'refused');
  if (refused.length > 0) {
    await insertErrors(telemetry, to, batch.partition, refused, key, signal);
  }
  return {
    rows: batch.pieces ? outcomes.reduce((sum, { rows }) => sum + rows, 0) : shown,
    bytes: batch.bytes,
    errors: refused.length,
    left: takenOver ? undefined : stage.ready,
  };
}

/** Loads, has the outcome recorded, and makes the stage ready. */
async function readInto(
  stage: Stage,
  to: SelectDestination,
  batch: SelectBatch,
  signal: AbortSignal,
): Promise<readonly ObjectOutcome[]> {
  const { pieces } = batch;
  if (!pieces) {
    const loading = await stage.create();
    await stage.load(insertSelect(to, stage.at(loading), batch.source, batch.settings), to);
    await stage.publish(loading);
    return [];
  }
  const { loading, outcomes } = await loadPieces({ stage, to, batch, pieces, signal });
  const record = async (some: readonly ObjectOutcome[]): Promise<void> => {
    if (!(await pieces.settle(some))) {
      throw new Fault('conflict', 'another process reads these objects now');
    }
  };
  await record(outcomes);
  await stage.publish(loading);
  // Whoever slept between the two, and was replaced meanwhile, stops here: its own ready table goes, and no other.
  await record([]).catch(async (error: unknown) => {
    await stage.drop(stage.ready);
    throw error;
  });
  return outcomes;
}

/** The position after the range is recorded: what tells that it was moved may go. `left`: what `loadSelect` said. */
export async function forgetSelect(
  telemetry: Telemetry,
  to: SelectDestination,
  batch: SelectBatch,
  key: string,
  left: string | undefined,
): Promise<void> {
  const stage = stageOf(telemetry, to, batch, key);
  await (left === undefined ? stage.forget() : stage.drop(left));
}

function stageOf(
  telemetry: Telemetry,
  to: SelectDestination,
  { partition, bytes }: SelectBatch,
  key: string,
  signal?: AbortSignal,
): Stage {
  return new Stage(
    telemetry,
    {
      database: to.database,
      table: to.table,
      pipeId: to.pipeId,
      partition,
      timeoutMs: to.timeoutMs,
      bytes,
    },
    key,
    signal,
  );
}

async function insertErrors(
  telemetry: Telemetry,
  to: SelectDestination,
  partition: string,
  refused: readonly ObjectOutcome[],
  key: string,
  signal: AbortSignal,
): Promise<void> {
  const rows = new RowWriter(refused.length * 512);
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
