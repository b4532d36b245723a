import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import type { Batch, From, Position } from '../../../ports/connector.ts';
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
import { lsnText, parseLsn, type Lsn } from './lsn.ts';
import type { SourceTable } from './tables.ts';

export interface TableStatesOptions {
  client: Client;
  from: From;
  positions: ReadonlyMap<string, Position>;
  run: number;
  tables: readonly SourceTable[];
}

const controlPartition = (targetTable: string): string => `table/${targetTable}`;
/** Names of target tables hold no slash: segments have one more. */
const isControl = (partition: string): boolean => /^table\/[^/]+$/.test(partition);

interface Entry {
  table: SourceTable;
  state: TableState | undefined;
  settled: Promise<void>;
  settle(): void;
}

/** Where the first reading of each table stands, kept in a partition of its own. */
export class TableStates {
  /** No table was ever finished: the pipe is in its initial snapshot. */
  first: boolean;
  readonly #options: TableStatesOptions;
  readonly #entries: Map<string, Entry>;
  /** Planned just now: to be stored. */
  readonly #planned: Entry[] = [];

  constructor(options: TableStatesOptions) {
    this.#options = options;
    this.#entries = new Map(
      options.tables.map((table) => [
        table.mapping.targetTable,
        entryOf(table, options.positions.get(controlPartition(table.mapping.targetTable))),
      ]),
    );
    this.first = ![...this.#entries.values()].some(
      ({ state }) => state !== undefined && 'done' in state,
    );
  }

  /**
   * Tables that are not finished; a plan whose rows have moved since is forgotten. So is a begun one where rows are appended: the rest would be
   * read from a later snapshot, and what was committed between the two would be there twice or not at all.
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
      this.first = false;
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

  /** Divides the tables that have no plan yet. Without `options` there is nothing to read of them. */
  async plan(
    options: { parallelism: number; rowsPerPartition: number; at: Lsn | undefined } | undefined,
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
      if (options?.at !== undefined && isAppended(table)) {
        plan.at = lsnText(options.at);
      }
      entry.state = { generation, plan };
      this.#planned.push(entry);
    }
  }

  /** Claims the partitions of tables that are read or were taken out, and answers what is to be stored of them. */
  async announce(): Promise<Batch[]> {
    const { from, positions } = this.#options;
    const gone = [...positions].filter(
      ([partition, text]) =>
        isControl(partition) &&
        !this.#entries.has(partition.slice('table/'.length)) &&
        !('removed' in parseState(text)),
    );
    const over: Batch[] = [];
    for (const partition of [
      ...[...this.unfinished()].map(({ table }) => controlPartition(table.mapping.targetTable)),
      ...gone.map(([partition]) => partition),
    ]) {
      const opening = await from(partition);
      const next = this.#entries.get(partition.slice('table/'.length));
      // What was about to be published has been given up meanwhile.
      if (opening?.until !== undefined && (!next || this.#planned.includes(next))) {
        over.push(empty(partition, opening.until));
      }
    }
    return [
      ...over,
      ...this.#planned.map(({ table, state }) =>
        empty(controlPartition(table.mapping.targetTable), stateText(state!)),
      ),
      ...gone.map(([partition, text]) =>
        empty(partition, stateText({ generation: parseState(text).generation, removed: true })),
      ),
    ];
  }

  generation(targetTable: string): string {
    return this.#entries.get(targetTable)?.state?.generation ?? '';
  }

  /** Changes before this are in what was copied, and must not be appended again. */
  copiedUpTo(targetTable: string): Lsn | undefined {
    const state = this.#entries.get(targetTable)?.state;
    const at =
      state && 'plan' in state ? state.plan.at : state && 'done' in state ? state.at : undefined;
    return at === undefined ? undefined : parseLsn(at);
  }

  *unfinished(): Generator<{ table: SourceTable; plan: TablePlan }> {
    for (const { table, state } of this.#entries.values()) {
      if (state && 'plan' in state) {
        yield { table, plan: state.plan };
      }
    }
  }

  /** What is stored when all of a table is there. */
  finish({ mapping }: SourceTable): { control: string; done: Position } {
    return {
      control: controlPartition(mapping.targetTable),
      done: stateText(this.#done(mapping.targetTable)),
    };
  }

  finished({ mapping }: SourceTable): void {
    const entry = this.#entries.get(mapping.targetTable)!;
    entry.state = this.#done(mapping.targetTable);
    entry.settle();
    if ([...this.#entries.values()].every(({ state }) => state && 'done' in state)) {
      this.first = false;
    }
  }

  #done(targetTable: string): TableState {
    const { generation } = this.#entries.get(targetTable)!.state!;
    const at = this.copiedUpTo(targetTable);
    return { generation, done: true, ...(at === undefined ? {} : { at: lsnText(at) }) };
  }

  /** Resolves when no rows of the first reading can come any more. */
  settled(targetTable: string): Promise<void> {
    return this.#entries.get(targetTable)?.settled ?? Promise.resolve();
  }
}

function entryOf(table: SourceTable, text: Position | undefined): Entry {
  const state = text === undefined ? undefined : parseState(text);
  let settle = (): void => undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  if (state && 'done' in state) {
    settle();
  }
  return { table, state, settled, settle };
}

/** Rows are only ever added, and no version says which of two counts. */
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
