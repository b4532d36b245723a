import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import type { Batch, Position } from '../../../../ports/batch.ts';
import type { From } from '../../../../ports/connector.ts';
import {
  parseState,
  planTable,
  segmentPartition,
  segmentPosition,
  stateText,
  stillThere,
  type TablePlan,
  type TableState,
} from './snapshot-plan.ts';
import { lsnText, parseLsn, type Lsn } from '../wire/lsn.ts';
import type { SourceTable } from '../tables/tables.ts';

export interface TableStatesOptions {
  client: Client;
  from: From;
  positions: ReadonlyMap<string, Position>;
  run: number;
  tables: readonly SourceTable[];
}

const controlPartition = (targetTable: string): string => `table/${targetTable}`;
/** Names of target tables contain no slash; partitions of segments have one more. */
const isControl = (partition: string): boolean => /^table\/[^/]+$/.test(partition);

interface Entry {
  table: SourceTable;
  state: TableState | undefined;
  finished: Promise<void>;
  finish(): void;
}

/** Progress of each table's snapshot, stored in a control partition of the table's own. */
export class TableStates {
  /** No table is complete yet: the pipe is in its initial snapshot. */
  initial: boolean;
  readonly #options: TableStatesOptions;
  readonly #entries: Map<string, Entry>;
  /** Plans of this run, to be stored. */
  readonly #planned: Entry[] = [];

  constructor(options: TableStatesOptions) {
    this.#options = options;
    this.#entries = new Map(
      options.tables.map((table) => [
        table.mapping.targetTable,
        entryOf(table, options.positions.get(controlPartition(table.mapping.targetTable))),
      ]),
    );
    this.initial = ![...this.#entries.values()].some(
      ({ state }) => state !== undefined && 'done' in state,
    );
  }

  /**
   * Returns the tables that are not complete. Discards a plan whose rows have moved since, and a
   * started plan of a table whose rows are appended: the rest would come from a later snapshot, and
   * rows committed between the two snapshots would be stored twice or never.
   */
  async pending(): Promise<SourceTable[]> {
    for (const entry of this.#entries.values()) {
      const { state, table } = entry;
      if (
        state &&
        'plan' in state &&
        !this.#allRead(table, state.plan) &&
        (isAppended(table) || !(await stillThere(this.#options.client, state.plan)))
      ) {
        entry.state = { generation: state.generation, removed: true };
      }
    }
    const open = [...this.#entries.values()].filter(
      ({ state }) => state === undefined || !('done' in state),
    );
    if (open.length === 0) {
      this.initial = false;
    }
    return open.map(({ table }) => table);
  }

  #allRead({ mapping }: SourceTable, plan: TablePlan): boolean {
    return plan.segments.every(
      (_, index) =>
        segmentPosition(
          plan,
          this.#options.positions.get(segmentPartition(mapping.targetTable, index)),
        ) === 'end',
    );
  }

  /** Plans the tables that have no plan yet. Without `options` their plans have no segments. */
  async plan(
    options: { parallelism: number; rowsPerPartition: number; lsn: Lsn | undefined } | undefined,
  ): Promise<void> {
    for (const entry of this.#entries.values()) {
      const { state, table } = entry;
      if (state && !('removed' in state)) {
        continue;
      }
      const generation = `${this.#options.run}.${state ? Number(state.generation.split('.')[1]) + 1 : 1}`;
      const id = randomBytes(4).toString('hex');
      const plan: TablePlan = options
        ? await planTable(this.#options.client, table, { generation, id, ...options })
        : { generation, id, segments: [] };
      if (options?.lsn !== undefined && isAppended(table)) {
        plan.at = lsnText(options.lsn);
      }
      entry.state = { generation, plan };
      this.#planned.push(entry);
    }
  }

  /**
   * Claims the control partitions of tables that are read or were removed from the pipe. Returns
   * the batches that store their new states.
   */
  async announce(): Promise<Batch[]> {
    const { from, positions } = this.#options;
    const removed = [...positions].filter(
      ([partition, text]) =>
        isControl(partition) &&
        !this.#entries.has(partition.slice('table/'.length)) &&
        !('removed' in parseState(text)),
    );
    const abandoned: Batch[] = [];
    for (const partition of [
      ...[...this.unfinished()].map(({ table }) => controlPartition(table.mapping.targetTable)),
      ...removed.map(([partition]) => partition),
    ]) {
      const opening = await from(partition);
      const next = this.#entries.get(partition.slice('table/'.length));
      // A publication that was in progress has been abandoned since: report it as complete.
      if (opening?.until !== undefined && (!next || this.#planned.includes(next))) {
        abandoned.push(empty(partition, opening.until));
      }
    }
    return [
      ...abandoned,
      ...this.#planned.flatMap(({ table, state }) =>
        state ? [empty(controlPartition(table.mapping.targetTable), stateText(state))] : [],
      ),
      ...removed.map(([partition, text]) =>
        empty(partition, stateText({ generation: parseState(text).generation, removed: true })),
      ),
    ];
  }

  generation(targetTable: string): string {
    return this.#entries.get(targetTable)?.state?.generation ?? '';
  }

  /** The copied rows contain all changes before this place, which must not be appended again. */
  copiedUpTo(targetTable: string): Lsn | undefined {
    const lsn = copiedLsn(this.#entries.get(targetTable)?.state);
    return lsn === undefined ? undefined : parseLsn(lsn);
  }

  *unfinished(): Generator<{ table: SourceTable; plan: TablePlan }> {
    for (const { table, state } of this.#entries.values()) {
      if (state && 'plan' in state) {
        yield { table, plan: state.plan };
      }
    }
  }

  /** The position that marks a table as complete, and the partition to store it in. */
  finish({ mapping }: SourceTable): { partition: string; done: Position } {
    return {
      partition: controlPartition(mapping.targetTable),
      done: stateText(this.#done(mapping.targetTable)),
    };
  }

  /** Call this when the position from `finish` is stored. */
  markFinished({ mapping }: SourceTable): void {
    const entry = this.#entries.get(mapping.targetTable);
    if (entry) {
      entry.state = this.#done(mapping.targetTable);
      entry.finish();
    }
    if ([...this.#entries.values()].every(({ state }) => state && 'done' in state)) {
      this.initial = false;
    }
  }

  #done(targetTable: string): TableState {
    const lsn = copiedLsn(this.#entries.get(targetTable)?.state);
    const state: TableState = { generation: this.generation(targetTable), done: true };
    if (lsn !== undefined) {
      state.at = lsn;
    }
    return state;
  }

  /** Resolves when the table's snapshot returns no more rows. */
  whenFinished(targetTable: string): Promise<void> {
    return this.#entries.get(targetTable)?.finished ?? Promise.resolve();
  }
}

function entryOf(table: SourceTable, text: Position | undefined): Entry {
  const state = text === undefined ? undefined : parseState(text);
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  if (state && 'done' in state) {
    finish();
  }
  return { table, state, finished, finish };
}

/** LSN of the snapshot, as text. */
function copiedLsn(state: TableState | undefined): string | undefined {
  if (!state || 'removed' in state) {
    return undefined;
  }
  return 'plan' in state ? state.plan.at : state.at;
}

/** The target only appends rows, and no version tells which of two rows is newer. */
const isAppended = ({ mapping }: SourceTable): boolean =>
  (mapping.tableEngine ?? 'ReplacingMergeTree') !== 'ReplacingMergeTree';

const empty = (partition: string, next: Position): Batch => ({
  kind: 'rows',
  partition,
  parts: [],
  rows: 0,
  bytes: 0,
  next,
  flush: true,
});
