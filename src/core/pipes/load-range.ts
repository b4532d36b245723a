import type { SourceKindName } from '../../contract/pipe/sources.ts';
import type { PipeSettings } from '../../contract/pipe/settings.ts';
import type { PipeDefinition } from '../../contract/pipe/pipe.ts';
import type { Batch, RecordBatch, SelectBatch, TargetTable } from '../../ports/connector.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import { sql } from '../../sql/sql.ts';
import { loadRecords, type Loaded, type RowDestination } from './load-records.ts';
import { forgetSelect, loadSelect, type SelectDestination } from './load-select.ts';
import { rowMapper } from './mapping.ts';
import type { Range } from './partition-buffer.ts';
import { prepareTarget } from './prepare-table.ts';

export interface RangeLoader {
  load(range: Range, key: string, signal: AbortSignal): Promise<Loaded>;
  forget(range: Range, key: string): Promise<void>;
}

/** Loads are long only where the engine reads by itself. */
const selectTimeoutMs = 6 * 3_600_000;

/** Stores the ranges of one pipe: one insert for each table a range has rows of. */
export function rangeLoader(telemetry: Telemetry, pipeId: string, kind: SourceKindName, definition: PipeDefinition): RangeLoader {
  const destinations = new Map<TargetTable | undefined, RowDestination>();
  const { database } = definition.destination;

  async function destinationOf(target: TargetTable | undefined): Promise<RowDestination> {
    const known = destinations.get(target);
    if (known) return known;
    if (target) await prepareTarget(telemetry, database, target);
    const columns = target?.columns ?? definition.destination.columns ?? [];
    const mapper = rowMapper(kind, target ? [] : definition.fieldMappings, [...columns]);
    const made = { pipeId, database, table: target?.table ?? definition.destination.table ?? '', columns: columns.map(({ name }) => name), mapper };
    destinations.set(target, made);
    return made;
  }

  const selectOf = async (batch: SelectBatch): Promise<SelectDestination> => {
    const { columns, table } = await destinationOf(batch.target);
    const sourceOf = new Map(batch.target ? [] : definition.fieldMappings.map(({ destinationField, sourceField }) => [destinationField, sourceField]));
    return { database, table, columns: columns.map((name) => ({ name, field: sourceOf.get(name) ?? name })), settings: selectSettings(definition.settings, telemetry.embedded), timeoutMs: selectTimeoutMs };
  };

  return {
    async load(range, key, signal) {
      const total = { rows: 0, bytes: 0, errors: 0 };
      for (const [index, group] of groupsOf(range.batches).entries()) {
        const [first] = group;
        const one = first!.kind === 'select'
          ? await loadSelect(telemetry, await selectOf(first), first, key, signal)
          : await loadRecords(telemetry, await destinationOf(first!.target), group as RecordBatch[], index === 0 ? key : `${key}:${index}`, signal);
        for (const name of ['rows', 'bytes', 'errors'] as const) total[name] += one[name];
      }
      return total;
    },
    async forget(range, key) {
      for (const batch of range.batches) if (batch.kind === 'select') await forgetSelect(telemetry, await selectOf(batch), key);
    },
  };
}

/** Batches by where they go, in the order in which each table first appears: the same for the same range, whoever stores it. */
function groupsOf(batches: readonly Batch[]): [Batch, ...Batch[]][] {
  const groups: [Batch, ...Batch[]][] = [];
  const byTable = new Map<string, [Batch, ...Batch[]]>();
  for (const batch of batches) {
    if (batch.kind === 'records' && batch.records.length === 0) continue;
    const table = batch.target?.table ?? '';
    const group = batch.kind === 'records' ? byTable.get(table) : undefined;
    if (group) group.push(batch);
    else {
      const made: [Batch] = [batch];
      groups.push(made);
      if (batch.kind === 'records') byTable.set(table, made);
    }
  }
  return groups;
}

/** The pipe's engine settings on the statement that loads. */
function selectSettings(settings: PipeSettings, embedded: boolean) {
  return sql`max_threads = ${settings.engine_max_threads}, max_insert_threads = ${settings.engine_max_insert_threads}, min_insert_block_size_bytes = ${settings.engine_min_insert_block_size_bytes}, max_download_threads = ${settings.engine_max_download_threads}, parallel_distributed_insert_select = ${embedded ? 0 : settings.engine_parallel_distributed_insert_select}, parallel_view_processing = ${settings.engine_parallel_view_processing ? 1 : 0}`;
}
