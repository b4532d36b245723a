import type { PipeDefinition } from '../../../contract/pipe/pipe.ts';
import type { Batch } from '../../../ports/batch.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import type { Telemetry } from '../../../ports/telemetry.ts';
import { tableUser } from '../definition.ts';
import type { VirtualFieldWriters } from '../kinds/virtual-fields.ts';
import { rowMapper } from './records/mapping.ts';
import type { Range } from '../read/partition-buffer.ts';
import type { ReaderLimits } from '../read/reader-limits.ts';
import { TargetTables } from '../tables/target-tables.ts';
import { loadRecords, type Loaded } from './records/load-records.ts';
import type { RowDestination } from './records/row-destination.ts';
import { selectDestination } from './select-destination.ts';
import { forgetSelect, loadSelect } from './staged/load-select.ts';

export interface RangeLoader {
  /** `beforeInsert` is called before rows that were loaded elsewhere go to the target. */
  load(
    range: Range,
    key: string,
    signal: AbortSignal,
    beforeInsert: () => Promise<void>,
  ): Promise<Loaded>;
  forget(range: Range, key: string): Promise<void>;
}

/** Stores the ranges of one pipe: one insert for each table that a range has rows of. */
export function rangeLoader(
  telemetry: Telemetry,
  document: StoredDocument<'pipe'>,
  virtualFields: VirtualFieldWriters,
  { loads }: Pick<ReaderLimits, 'loads'>,
): RangeLoader {
  const { id: pipeId, body: definition } = document;
  const { database } = definition.destination;
  const targets = new TargetTables(telemetry, pipeId, database, tableUser(document));
  const rowsTo = rowDestination(pipeId, virtualFields, definition);
  const selectTo = selectDestination(telemetry, pipeId, definition, loads);
  /** The stage table of a range that remains until its position is recorded, by the range's key. */
  const remainingTables = new Map<string, string>();

  return {
    async load({ batches }, key, signal, beforeInsert) {
      const loaded: Loaded[] = [];
      const records = ofKind(batches, 'records').filter(
        (batch) => (batch.packed?.count ?? batch.records.length) > 0,
      );
      if (records.length > 0) {
        loaded.push(await loadRecords(telemetry, rowsTo, records, key, signal));
      }
      for (const batch of ofKind(batches, 'select')) {
        remainingTables.delete(key);
        const selected = await loadSelect(telemetry, selectTo, batch, key, signal, beforeInsert);
        if (selected.remainingTable !== undefined) {
          remainingTables.set(key, selected.remainingTable);
        }
        loaded.push(selected);
      }
      const rows = ofKind(batches, 'rows');
      const parts = rows.flatMap((batch) => batch.parts);
      const [firstRows] = rows;
      if (firstRows && parts.length > 0) {
        loaded.push(await targets.load(firstRows.partition, parts, key, signal));
      }
      for (const batch of ofKind(batches, 'table')) {
        await targets.step(batch);
      }
      return loaded.reduce(addLoaded, { rows: 0, bytes: 0, errors: 0 });
    },
    async forget({ batches }, key) {
      for (const batch of ofKind(batches, 'select')) {
        await forgetSelect(telemetry, selectTo, batch, key, remainingTables.get(key));
      }
      remainingTables.delete(key);
    },
  };
}

function rowDestination(
  pipeId: string,
  virtualFields: VirtualFieldWriters,
  { destination, fieldMappings }: PipeDefinition,
): RowDestination {
  const columns = destination.columns ?? [];
  return {
    pipeId,
    database: destination.database,
    table: destination.table ?? '',
    columns: columns.map(({ name }) => name),
    mapper: rowMapper(virtualFields, fieldMappings, [...columns]),
  };
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
