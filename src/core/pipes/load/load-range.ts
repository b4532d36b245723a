import type { PipeDefinition } from '../../../contract/pipe/pipe.ts';
import { recordCount, type Batch } from '../../../ports/batch.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import type { Telemetry, TelemetryShard } from '../../../ports/telemetry.ts';
import { tableUser } from '../definition.ts';
import type { VirtualFieldWriters } from '../kinds/virtual-fields.ts';
import type { RangeStoreOptions } from '../read/range-store.ts';
import type { ReaderLimits } from '../read/reader-limits.ts';
import { errorTableName } from '../tables/destination-table.ts';
import type { PreparedTable } from '../tables/prepare-shards.ts';
import { shardsOf } from '../tables/shards.ts';
import { TargetTables } from '../tables/target-tables.ts';
import { RangeShards } from './range-shards.ts';
import { loadRecords, type Loaded } from './records/load-records.ts';
import { rowMapper } from './records/mapping.ts';
import type { RowDestination, RowTable } from './records/row-destination.ts';
import { selectDestination } from './select-destination.ts';
import { forgetSelect, loadSelect } from './staged/load-select.ts';

export type RangeLoader = Pick<RangeStoreOptions, 'shardFor' | 'load' | 'forget'>;

interface RangeLoaderOptions {
  telemetry: Telemetry;
  document: StoredDocument<'pipe'>;
  virtualFields: VirtualFieldWriters;
  limits: Pick<ReaderLimits, 'loads'>;
  /** The table of the pipe; undefined: the source names its tables. */
  prepared: PreparedTable | undefined;
  /** Prepares it again, for shards that did not respond the first time. */
  prepareTable(): Promise<PreparedTable | undefined>;
}

/** Stores the ranges of one pipe: one insert for each table that a range has rows of. */
export function rangeLoader(options: RangeLoaderOptions): RangeLoader {
  const { telemetry, document, limits } = options;
  const { id: pipeId, body: definition } = document;
  const { database } = definition.destination;
  const shards = new RangeShards(shardsOf(telemetry), options.prepared, () =>
    options.prepareTable(),
  );
  const targets = new TargetTables(telemetry, pipeId, database, tableUser(document));
  const rowsTo = rowDestinations(options);
  const selectTo = selectDestination(telemetry, pipeId, definition, {
    loads: limits.loads,
    slots: options.prepared?.placement.slots,
  });
  /** The stage table of a range that remains until its position is recorded, by the range's key. */
  const remainingTables = new Map<string, string>();

  return {
    shardFor: (range, key) => shards.choose(range, key),
    async load({ batches }, { key, isRepeated, shard }, signal, beforeInsert) {
      const loaded: Loaded[] = [];
      const records = ofKind(batches, 'records').filter((batch) => recordCount(batch) > 0);
      if (records.length > 0) {
        loaded.push(await loadRecords(rowsTo(shard), records, { key, isRepeated }, signal));
      }
      for (const batch of ofKind(batches, 'select')) {
        remainingTables.delete(key);
        const selected = await loadSelect(selectTo(shard), batch, key, signal, beforeInsert);
        if (selected.remainingTable !== undefined) {
          remainingTables.set(key, selected.remainingTable);
        }
        loaded.push(selected);
      }
      const rows = ofKind(batches, 'rows');
      const parts = rows.flatMap((batch) => batch.parts);
      const [firstRows] = rows;
      if (firstRows && parts.length > 0) {
        loaded.push(
          await targets.load(firstRows.partition, parts, { key, isRepeated, shard }, signal),
        );
      }
      for (const batch of ofKind(batches, 'table')) {
        await targets.step(batch);
      }
      return loaded.reduce(addLoaded, { rows: 0, bytes: 0, errors: 0 });
    },
    async forget({ batches }, { key, shard }) {
      for (const batch of ofKind(batches, 'select')) {
        await forgetSelect(selectTo(shard), batch, key, remainingTables.get(key));
      }
      remainingTables.delete(key);
    },
  };
}

/** @returns the destination of rows whose range goes to a shard */
function rowDestinations({
  document: { id: pipeId, body },
  virtualFields,
  prepared,
}: RangeLoaderOptions): (shard: TelemetryShard) => RowDestination {
  const { destination, fieldMappings }: PipeDefinition = body;
  const { database, table = '', columns = [] } = destination;
  const mapper = rowMapper(virtualFields, fieldMappings, [...columns]);
  const rowTable = (shard: TelemetryShard, name: string): RowTable => ({
    shard,
    database,
    table: shard.stored(name),
  });
  return (home) => ({
    pipeId,
    tables: prepared?.placement.slots?.map(({ shard, slot }) => ({
      ...rowTable(shard, table),
      slot,
    })) ?? [rowTable(home, table)],
    errors: rowTable(home, errorTableName(table)),
    columns: columns.map(({ name }) => name),
    mapper,
  });
}

function ofKind<K extends Batch['kind']>(
  batches: readonly Batch[],
  kind: K,
): Extract<Batch, { kind: K }>[] {
  return batches.filter((batch): batch is Extract<Batch, { kind: K }> => batch.kind === kind);
}

function addLoaded(sum: Loaded, one: Loaded): Loaded {
  return {
    rows: sum.rows + one.rows,
    bytes: sum.bytes + one.bytes,
    errors: sum.errors + one.errors,
  };
}
