import type { PipeDefinition } from '../../../contract/pipe/pipe.ts';
import { effectivePipeSettings, type PipeSettings } from '../../../contract/pipe/settings.ts';
import type { Telemetry, TelemetryShard } from '../../../ports/telemetry.ts';
import { join, sql, type Sql } from '../../../sql/sql.ts';
import { errorTableName } from '../tables/destination-table.ts';
import type { Placement } from '../tables/row-slots.ts';
import { shardsOf } from '../tables/shards.ts';
import { LoadLimiter } from './load-limiter.ts';
import { rememberedSettings } from './engine-setting.ts';
import type { SelectDestination, SelectTarget } from './select-statement.ts';

/** Only loads that the engine reads by itself take long. */
const timeoutMs = 6 * 3_600_000;

/**
 * Where the rows go that the engine reads for this pipe, with at most `loads` loads at a time.
 * @returns the destination of a range that goes to a shard
 */
export function selectDestination(
  telemetry: Telemetry,
  pipeId: string,
  definition: PipeDefinition,
  { loads, slots }: { loads: number; slots: Placement['slots'] },
): (shard: TelemetryShard) => SelectDestination {
  const { database, table = '' } = definition.destination;
  const settings = effectivePipeSettings(definition.settings);
  const common = {
    pipeId,
    shards: shardsOf(telemetry),
    slots,
    database,
    columns: selectedColumns(definition),
    settings: loadSettings(settings, telemetry.embedded),
    viewSettings: sql`parallel_view_processing = ${settings.engine_parallel_view_processing ? 1 : 0}`,
    maxMemoryBytes: loadMemoryBytes(settings),
    timeoutMs,
    hasSetting: rememberedSettings(telemetry),
    limiter: new LoadLimiter(loads),
  };
  return (shard) => ({
    ...common,
    shard,
    table: shard.stored(table),
    errorTable: shard.stored(errorTableName(table)),
  });
}

/** The columns of the destination, each with the field it takes. */
export function selectedColumns({
  destination,
  fieldMappings,
}: Pick<PipeDefinition, 'destination' | 'fieldMappings'>): SelectTarget['columns'] {
  const sourceOf = new Map(
    fieldMappings.map(({ destinationField, sourceField }) => [destinationField, sourceField]),
  );
  return (destination.columns ?? []).map(({ name }) => ({
    name,
    field: sourceOf.get(name) ?? name,
  }));
}

const gibibyte = 2 ** 30;

/**
 * What the engine may hold while it loads: several blocks of the size it gathers, for each thread
 * that writes.
 */
function loadMemoryBytes({
  engine_min_insert_block_size_bytes: block,
  engine_max_insert_threads: threads,
}: PipeSettings): number {
  return 2 * gibibyte + 2 * block * Math.max(1, threads);
}

/** The pipe's engine settings on the statement that loads. */
function loadSettings(settings: PipeSettings, embedded: boolean): Sql {
  const distributed = embedded ? 0 : settings.engine_parallel_distributed_insert_select;
  const threads = settings.engine_max_threads;
  return join(
    [
      // Zero would replace what the adapter of the embedded engine chooses.
      ...(threads > 0 || !embedded ? [sql`max_threads = ${threads}`] : []),
      sql`max_insert_threads = ${settings.engine_max_insert_threads}`,
      sql`min_insert_block_size_bytes = ${settings.engine_min_insert_block_size_bytes}`,
      sql`max_download_threads = ${settings.engine_max_download_threads}`,
      sql`parallel_distributed_insert_select = ${distributed}`,
    ],
    ', ',
  );
}
