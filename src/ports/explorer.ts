import type { PipeCheckStep, PipeSourceItem } from '../contract/pipe/pipe-draft.ts';
import type { SourceSettings } from '../contract/pipe/source-contract.ts';
import type { Sql } from '../sql/sql.ts';
import type { SourceRecord } from './batch.ts';

/** Begins a step of a check. `field`: the field at fault if the step fails without naming one. */
export type BeginStep = (step: PipeCheckStep, field: string) => void;

/**
 * Looks at a source for the caller who configures a pipe. It creates nothing at the source: no
 * consumer group, offset, slot, publication or consumer. Every method throws ConnectionLost or
 * SourceFailed; their messages carry no secret.
 */
export interface Explorer {
  /** Tries what a reader of the pipe would do, step by step. */
  check(begin: BeginStep, signal: AbortSignal): Promise<void>;
  /** The items to read, by name. */
  list(begin: BeginStep, signal: AbortSignal): Promise<SourceItems>;
  /** Reads a few records of an item. Undefined: the source has no such item. */
  sample(item: string, begin: BeginStep, signal: AbortSignal): Promise<ItemSample | undefined>;
}

export interface SourceItems {
  kind: 'topics' | 'tables' | 'objects' | 'streams';
  items: PipeSourceItem[];
  /** The source has more items than these. */
  hasMore: boolean;
}

interface SampleBase {
  item: PipeSourceItem;
  itemKind: SourceItems['kind'];
  /** Fields of the source that make a pipe read this item. */
  source: SourceSettings;
  /** Name for the target table; any text. */
  name: string;
}

/** Records whose fields become columns. */
export interface RecordsSample extends SampleBase {
  kind: 'records';
  records: readonly SourceRecord[];
}

/** Rows of a table that defines its own columns. */
export interface TableSample extends SampleBase {
  kind: 'table';
  records: readonly SourceRecord[];
}

/** Rows that the engine reads by itself. */
export interface SelectSample extends SampleBase {
  kind: 'select';
  /** What stands after FROM. May hold secrets, so it is never logged. */
  from: Sql;
  settings: Sql;
  /**
   * `json`: one column with the JSON text of a record. Otherwise a column for each field: `text` if
   * the engine derived the types from text, `typed` if the data has types.
   */
  shape: 'json' | 'text' | 'typed';
  /** Whether a name with dots is a path in the record. */
  hasPaths: boolean;
  /** Texts that no error may contain. */
  secrets: readonly string[];
  /** Why the engine cannot read the item. */
  reasonOf(error: Error): string;
}

export type ItemSample = RecordsSample | TableSample | SelectSample;
