import type { RowCount, SelectStage, StageRows } from '../../../../ports/batch.ts';
import { ConnectionLost, SourceFailed } from '../../../../ports/connector.ts';
import { TelemetryError } from '../../../../ports/telemetry.ts';
import { join, type Sql } from '../../../../sql/sql.ts';
import { insertSelect, probeStatement, type SelectDestination } from '../select-statement.ts';
import {
  filledColumn,
  itemColumn,
  oneItemSettings,
  versionColumn,
  type Meter,
} from './stage-meter.ts';
import type { Stage } from './stage.ts';

/** One table of a stage, as a batch sees it. */
export class StageTable implements SelectStage {
  readonly #stage: Stage;
  readonly #to: SelectDestination;
  readonly name: string;
  readonly signal: AbortSignal;

  constructor(stage: Stage, to: SelectDestination, name: string, signal: AbortSignal) {
    this.#stage = stage;
    this.#to = to;
    this.name = name;
    this.signal = signal;
  }

  async insert(rows: StageRows): Promise<ReadonlyMap<string, RowCount>> {
    const { source, settings, count, isOneItem = false, onRead } = rows;
    if (!count) {
      await this.#execute(
        insertSelect(this.#to, this.#stage.qualifiedTable(this.name), source, settings),
        isOneItem,
      );
      await onRead?.();
      return new Map();
    }
    const columns = this.#to.columns.map(({ name }) => name);
    const meter = await this.#stage.meter(this.name, columns, count.version !== undefined);
    const counted = [
      { name: itemColumn, value: count.item },
      { name: filledColumn, value: count.filled },
      ...(count.version ? [{ name: versionColumn, value: count.version }] : []),
    ];
    try {
      await this.#execute(
        insertSelect(
          this.#to,
          this.#stage.qualifiedTable(meter.inlet),
          source,
          isOneItem ? join([oneItemSettings, ...(settings ? [settings] : [])], ', ') : settings,
          counted,
        ),
        isOneItem,
      );
    } catch (error) {
      await meter.drop();
      throw error;
    }
    const [counts] = await Promise.all([readAndDrop(meter), onRead?.()]);
    return counts;
  }

  async probe({
    source,
    settings,
  }: Pick<StageRows, 'source' | 'settings'>): Promise<Error | undefined> {
    try {
      await this.#stage.load(probeStatement(source, settings));
      return undefined;
    } catch (error) {
      if (mayBeTheSource(error, this.signal)) {
        return error;
      }
      throw error;
    }
  }

  hasSetting(name: string): Promise<boolean> {
    return this.#to.hasSetting(name);
  }

  /** Everything before the statement is done outside the turn. */
  #execute(statement: Sql, waitsForSource: boolean): Promise<void> {
    const { limiter, maxMemoryBytes } = this.#to;
    return limiter.run(() => this.#stage.load(statement, { maxMemoryBytes, waitsForSource }));
  }
}

async function readAndDrop(meter: Meter): Promise<ReadonlyMap<string, RowCount>> {
  try {
    return await meter.read();
  } finally {
    await meter.drop();
  }
}

/** Whether an error can come from what was read, and not from the target, the engine or a stop. */
export function mayBeTheSource(error: unknown, signal: AbortSignal): error is TelemetryError {
  if (error instanceof ConnectionLost || error instanceof SourceFailed || signal.aborted) {
    return false;
  }
  return (
    error instanceof TelemetryError &&
    !['unavailable', 'aborted', 'unknown_table', 'unknown_column'].includes(error.kind)
  );
}
