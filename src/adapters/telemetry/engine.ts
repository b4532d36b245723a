import type { EngineProcessStatus, Purpose, RowBlock } from '../../ports/telemetry.ts';

export interface EngineCall {
  purpose: Purpose;
  /** Counted from the call, waiting for a connection included. */
  timeoutMs: number;
  /** The database it works on, so that work for different ones takes turns. */
  tenant?: string | undefined;
  /** Settings of this call alone. */
  settings: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export interface EngineInsert extends Omit<EngineCall, 'purpose'> {
  purpose: 'ingest' | 'pipe';
  /** `` `database`.`table` ``, quoted. */
  target: string;
  /** Column names, quoted, with commas between. */
  columns: string;
  block: RowBlock;
  /** The block is read into other types than the table's and cast on the way. */
  cast?: RowCast | undefined;
}

/**
 * Both are SQL, quoted: what the rows are read as (`\`id\` Int256`), and what is stored of them, in
 * the order of `columns`.
 */
export interface RowCast {
  structure: string;
  values: string;
}

/**
 * What the two engines do differently. Text that comes here is already safe; errors are
 * TelemetryErrors.
 */
export interface Engine {
  readonly embedded: boolean;
  readonly guardsEgress: boolean;
  /** Whether the engine itself keeps work on one database away from the others. */
  readonly confines: boolean;
  relayFor(origin: string): Promise<string | undefined>;
  /** The engine's process, where this process started it. */
  readonly process: EngineProcessStatus | undefined;
  /** Runs a SELECT and gives its JSONCompact document. */
  read(text: string, call: EngineCall): Promise<string>;
  execute(text: string, call: EngineCall): Promise<void>;
  insert(call: EngineInsert): Promise<void>;
  ping(timeoutMs: number): Promise<void>;
  /** `clean`: nothing of the past is left to put in order. */
  close(options: { clean: boolean; withinMs?: number | undefined }): Promise<void>;
}
