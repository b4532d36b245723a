import { invalid } from '../../contract/errors.ts';
import type { PipeDefinition } from '../../contract/pipe/pipe.ts';
import type { SourceConfiguration } from '../../contract/pipe/sources.ts';
import { ConnectionLost, SourceFailed, type SelectBatch } from '../../ports/connector.ts';
import { TelemetryError, type Telemetry } from '../../ports/telemetry.ts';
import { qualified, sql } from '../../sql/sql.ts';
import { insertSelect, withoutSecrets } from './select-statement.ts';

const rowsMax = 10;
const timeoutMs = 30_000;

/**
 * Has the engine read a few rows of what it reads by itself, into a table of the pipe's columns that keeps nothing.
 * @throws Fault bad_request naming the object and the reason.
 */
export async function checkSelect(
  telemetry: Telemetry,
  source: SourceConfiguration,
  { destination, fieldMappings }: PipeDefinition,
  batch: SelectBatch,
  table: string,
): Promise<void> {
  const refuse = (reason: string): Error =>
    invalid([
      { path: `source.${source.kind}`, message: `${batch.label} cannot be stored: ${reason}` },
    ]);
  const { pieces, secrets = [] } = batch;
  if (pieces?.refusal !== undefined) {
    throw refuse(pieces.refusal);
  }
  const sourceOf = new Map(
    fieldMappings.map(({ destinationField, sourceField }) => [destinationField, sourceField]),
  );
  const columns = (destination.columns ?? []).map(({ name }) => ({
    name,
    field: sourceOf.get(name) ?? name,
  }));
  const to = {
    pipeId: '',
    database: destination.database,
    table,
    columns,
    settings: undefined,
    maxMemoryBytes: 2 ** 30,
    timeoutMs,
  };
  const few = sql`(SELECT * FROM ${batch.source} LIMIT ${rowsMax})`;
  try {
    await telemetry.command(
      insertSelect(to, qualified(destination.database, table), few, batch.settings),
      { purpose: 'pipe', timeoutMs, maxMemoryBytes: to.maxMemoryBytes },
    );
    if (pieces?.emptyReason === undefined) {
      return;
    }
    const { rows } = await telemetry.query(
      sql`SELECT toString(count()), toString(countIf(_filled != 0)) FROM (SELECT _filled FROM ${batch.source} LIMIT ${rowsMax})`,
      { purpose: 'pipe', timeoutMs },
    );
    const [read, filled] = (rows[0] ?? []).map(Number);
    if (read !== 0 && filled === 0) {
      throw refuse(pieces.emptyReason);
    }
  } catch (error) {
    if (
      error instanceof ConnectionLost ||
      error instanceof SourceFailed ||
      !(error instanceof TelemetryError) ||
      error.kind === 'unavailable'
    ) {
      throw withoutSecrets(error, secrets);
    }
    throw refuse(
      pieces?.blame(withoutSecrets(error, secrets) as Error, pieces.names[0]!).reason ??
        'the engine cannot read it',
    );
  }
}
