import { Fault, invalid } from '../../../contract/errors.ts';
import type { PipeColumn } from '../../../contract/pipe/destination.ts';
import type { PipeDefinition } from '../../../contract/pipe/pipe.ts';
import { effectivePipeSettings } from '../../../contract/pipe/settings.ts';
import type { Batch, RowsPart, SourceRecord } from '../../../ports/batch.ts';
import { ConnectionLost, SourceFailed } from '../../../ports/connector.ts';
import { identifier, join, qualified, sql } from '../../../sql/sql.ts';
import { columnType } from '../tables/column-type.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import { findBadRows } from '../load/records/find-bad-rows.ts';
import { rowMapper, skipped } from '../load/records/mapping.ts';
import { JsonRowWriter } from '../load/records/json-row-writer.ts';
import { RecordCursor } from '../load/records/record-cursor.ts';
import type { RowTable } from '../load/records/row-destination.ts';
import { shardsOf } from '../tables/shards.ts';
import { checkSelect } from '../load/staged/sample-select.ts';
import type { ConfiguredSource } from '../kinds/configured-source.ts';
import { sourceFields } from '../kinds/source-fields.ts';
import { makeConnector } from '../run/worker.ts';

const samplesMax = 10;
/** For the first record; then for those that follow it. */
const firstWaitMs = 10_000;
const nextWaitMs = 1500;

/**
 * Connects, reads up to ten records, and checks that they map and cast. A source that is there but
 * has nothing to give passes.
 * @throws Fault bad_request saying which record and why.
 */
export async function checkSamples(
  deps: PipeVerbDependencies,
  pipeId: string,
  source: ConfiguredSource,
  definition: PipeDefinition,
): Promise<void> {
  const batches = await readSamples(deps, pipeId, source, definition);
  await checkParts(
    deps,
    pipeId,
    source,
    definition.destination.database,
    batches.flatMap((batch) => (batch.kind === 'rows' ? batch.parts : [])),
  );
  const { columns = [], database } = definition.destination;
  for (const batch of batches) {
    if (batch.kind === 'select') {
      await withTable(deps, pipeId, database, columns, (table) =>
        checkSelect(table, source, definition, batch),
      );
    }
  }
  const mapper = rowMapper(source.rules.virtualFields, definition.fieldMappings, columns);
  const rows = new JsonRowWriter(4096);
  const read: SourceRecord[] = [];
  const cursors = batches.flatMap((batch) =>
    batch.kind === 'records' ? [new RecordCursor(batch)] : [],
  );
  for (const { cursor, index } of cursors
    .flatMap((cursor) => Array.from({ length: cursor.count }, (_, index) => ({ cursor, index })))
    .slice(0, samplesMax)) {
    cursor.moveTo(index);
    const fault = mapper(cursor, rows);
    if (fault === undefined) {
      read.push(cursor.record);
    } else if (fault !== skipped) {
      throw refused(source, cursor.record.position, fault);
    }
  }
  if (rows.rows === 0 || columns.length === 0) {
    return;
  }
  await withTable(deps, pipeId, database, columns, async (table) => {
    const bad = await firstBadRow(table, columns, rows);
    if (bad) {
      throw refused(source, read[bad.row]?.position ?? `row ${bad.row + 1}`, bad.reason);
    }
  });
}

/** Rows that come with a table of their own: the engine must know its types, and read the rows. */
async function checkParts(
  deps: PipeVerbDependencies,
  pipeId: string,
  source: ConfiguredSource,
  database: string,
  parts: readonly RowsPart[],
): Promise<void> {
  for (const { target, records } of parts) {
    const columns = target.columns.map(({ name, type }) => ({ name, type }));
    await withTable(deps, pipeId, database, columns, async (table) => {
      const rows = new JsonRowWriter(4096);
      const mapper = rowMapper({}, [], columns);
      const cursor = new RecordCursor({ records: records() });
      for (let index = 0; index < cursor.count; index++) {
        cursor.moveTo(index);
        mapper(cursor, rows);
      }
      const bad = await firstBadRow(table, columns, rows);
      if (bad) {
        throw refused(source, `${target.table}, row ${bad.row + 1}`, bad.reason);
      }
    });
  }
}

/** The first row that the engine cannot store in the table. */
async function firstBadRow(
  table: RowTable,
  columns: readonly PipeColumn[],
  rows: JsonRowWriter,
): Promise<{ row: number; reason: string } | undefined> {
  const names = columns.map(({ name }) => name);
  const [bad] = await findBadRows(table, names, rows, 'samples', AbortSignal.timeout(30_000));
  return bad;
}

/** A table of these columns for as long as the check takes: the pipe's own may not exist yet. */
async function withTable(
  deps: PipeVerbDependencies,
  pipeId: string,
  database: string,
  columns: readonly PipeColumn[],
  work: (table: RowTable) => Promise<void>,
): Promise<void> {
  const table = `pipe_samples_${pipeId.replaceAll('-', '')}`;
  const [shard] = shardsOf(deps.telemetry).all();
  if (shard === undefined) {
    throw new TypeError('an engine has at least one shard');
  }
  await shard.command(sql`CREATE DATABASE IF NOT EXISTS ${identifier(database)}`, {
    purpose: 'admin',
    timeoutMs: 30_000,
  });
  const command = { purpose: 'pipe', tenant: database, timeoutMs: 30_000 } as const;
  await shard.command(
    sql`CREATE TABLE ${qualified(database, table)} (${join(
      columns.map(({ name, type }) => sql`${identifier(name)} ${columnType(type)}`),
      ', ',
    )}) ENGINE = Null`,
    command,
  );
  try {
    await work({ shard, database, table });
  } finally {
    shard.forgetColumns(database, table);
    await shard.command(sql`DROP TABLE IF EXISTS ${qualified(database, table)}`, command);
  }
}

async function readSamples(
  deps: PipeVerbDependencies,
  pipeId: string,
  source: ConfiguredSource,
  definition: PipeDefinition,
): Promise<Batch[]> {
  const connector = makeConnector(deps, source, {
    pipeId,
    purpose: 'sample',
    replica: { index: 0, count: 1 },
    bufferBytes: 2 ** 20,
    settings: effectivePipeSettings(definition.settings),
    fields: sourceFields(definition),
  });
  const enough = new AbortController();
  let timer = setTimeout(() => {
    enough.abort();
  }, firstWaitMs);
  const batches: Batch[] = [];
  try {
    await connector.check(AbortSignal.timeout(firstWaitMs));
    let count = 0;
    for await (const batch of connector.read(() => Promise.resolve({}), enough.signal)) {
      batches.push(batch);
      const read = sampleCount(batch);
      count += read;
      if (count >= samplesMax) {
        break;
      }
      if (read === 0) {
        continue;
      }
      clearTimeout(timer);
      timer = setTimeout(() => {
        enough.abort();
      }, nextWaitMs);
    }
    return batches;
  } catch (error) {
    if (error instanceof ConnectionLost || error instanceof SourceFailed) {
      throw new Fault('bad_request', `source: ${error.message}`, {
        cause: error,
        issues: [{ path: `source.${source.kind}`, message: error.message }],
      });
    }
    throw error;
  } finally {
    clearTimeout(timer);
    enough.abort();
    await connector.close();
  }
}

/** Batches that the engine reads by itself, and steps of a table, are enough alone. */
function sampleCount(batch: Batch): number {
  switch (batch.kind) {
    case 'records':
      return batch.records.length;
    case 'rows':
      return batch.rows;
    default:
      return samplesMax;
  }
}

function refused(source: ConfiguredSource, position: string, reason: string): Fault {
  return invalid([
    {
      path: `source.${source.kind}`,
      message: `the record at ${position} cannot be stored: ${reason}`,
    },
  ]);
}
