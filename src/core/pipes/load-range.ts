import type { SourceKindName } from '../../contract/pipe/sources.ts';
import type { PipeSettings } from '../../contract/pipe/settings.ts';
import type { PipeDefinition } from '../../contract/pipe/pipe.ts';
import type { Batch } from '../../ports/connector.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import { sql } from '../../sql/sql.ts';
import { readsAtOnce } from './definition.ts';
import { loadRecords, type Loaded, type RowDestination } from './load-records.ts';
import { forgetSelect, loadSelect } from './load-select.ts';
import { rowMapper } from './mapping.ts';
import type { Range } from './partition-buffer.ts';
import type { SelectDestination } from './select-statement.ts';
import { Slots } from './slots.ts';
import { TargetTables } from './target-tables.ts';

export interface RangeLoader {
  load(range: Range, key: string, signal: AbortSignal): Promise<Loaded>;
  forget(range: Range, key: string): Promise<void>;
}

/** Loads are long only where the engine reads by itself. */
const selectTimeoutMs = 6 * 3_600_000;

/** Stores the ranges of one pipe: one insert for each table a range has rows of. */
export function rangeLoader(
  telemetry: Telemetry,
  pipeId: string,
  kind: SourceKindName,
  definition: PipeDefinition,
): RangeLoader {
  const { database } = definition.destination;
  const targets = new TargetTables(telemetry, pipeId, kind, database);
  const columns = definition.destination.columns ?? [];
  const destination: RowDestination = {
    pipeId,
    database,
    table: definition.destination.table ?? '',
    columns: columns.map(({ name }) => name),
    mapper: rowMapper(kind, definition.fieldMappings, [...columns]),
  };

  /** What is left of a range until its position is recorded, by its key. */
  const left = new Map<string, string>();
  const turns = new Slots(readsAtOnce(definition.settings.object_storage_concurrency));
  let versions: Promise<boolean> | undefined;
  const checksVersions = async (): Promise<boolean> => {
    versions ??= engineChecksVersions(telemetry);
    try {
      return await versions;
    } catch (error) {
      versions = undefined;
      throw error;
    }
  };

  const selectDestination = (): SelectDestination => {
    const sourceOf = new Map(
      definition.fieldMappings.map(({ destinationField, sourceField }) => [
        destinationField,
        sourceField,
      ]),
    );
    return {
      pipeId,
      database,
      table: destination.table,
      columns: columns.map(({ name }) => ({ name, field: sourceOf.get(name) ?? name })),
      settings: selectSettings(definition.settings, telemetry.embedded),
      maxMemoryBytes: selectMemoryBytes(definition.settings),
      timeoutMs: selectTimeoutMs,
      checksVersions,
      turns,
    };
  };

  return {
    async load({ batches }, key, signal) {
      const of = <K extends Batch['kind']>(wanted: K) =>
        batches.filter((batch): batch is Extract<Batch, { kind: K }> => batch.kind === wanted);
      const loaded: Loaded[] = [];
      const records = of('records').filter(
        (batch) => (batch.packed?.count ?? batch.records.length) > 0,
      );
      if (records.length > 0) {
        loaded.push(await loadRecords(telemetry, destination, records, key, signal));
      }
      for (const batch of of('select')) {
        left.delete(key);
        const done = await loadSelect(telemetry, selectDestination(), batch, key, signal);
        if (done.left !== undefined) {
          left.set(key, done.left);
        }
        loaded.push(done);
      }
      const parts = of('rows').flatMap((batch) => batch.parts);
      if (parts.length > 0) {
        loaded.push(await targets.load(batches[0]!.partition, parts, key, signal));
      }
      for (const batch of of('table')) {
        await targets.step(batch);
      }
      return loaded.reduce(
        (sum, one) => ({
          rows: sum.rows + one.rows,
          bytes: sum.bytes + one.bytes,
          errors: sum.errors + one.errors,
        }),
        { rows: 0, bytes: 0, errors: 0 },
      );
    },
    async forget({ batches }, key) {
      for (const batch of batches) {
        if (batch.kind === 'select') {
          await forgetSelect(telemetry, selectDestination(), batch, key, left.get(key));
        }
      }
      left.delete(key);
    },
  };
}

async function engineChecksVersions(telemetry: Telemetry): Promise<boolean> {
  const { rows } = await telemetry.query(
    sql`SELECT count() FROM system.settings WHERE name = 's3_validate_etag_on_read'`,
    { purpose: 'pipe', timeoutMs: 30_000 },
  );
  return Number(rows[0]?.[0]) > 0;
}

const gibibyte = 2 ** 30;

/** What the engine may hold while it loads: several blocks of the size it gathers, for each thread that writes. */
function selectMemoryBytes({
  engine_min_insert_block_size_bytes: block,
  engine_max_insert_threads: threads,
}: PipeSettings): number {
  return 2 * gibibyte + 2 * block * Math.max(1, threads);
}

/** The pipe's engine settings on the statement that loads. */
function selectSettings(settings: PipeSettings, embedded: boolean) {
  return sql`max_threads = ${settings.engine_max_threads}, max_insert_threads = ${settings.engine_max_insert_threads}, min_insert_block_size_bytes = ${settings.engine_min_insert_block_size_bytes}, max_download_threads = ${settings.engine_max_download_threads}, parallel_distributed_insert_select = ${embedded ? 0 : settings.engine_parallel_distributed_insert_select}, parallel_view_processing = ${settings.engine_parallel_view_processing ? 1 : 0}`;
}
