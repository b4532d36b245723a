import type { QueryOptions, Telemetry } from '../../ports/telemetry.ts';
import { adoptTable } from './adopt-table.ts';
import { recompressAttributes } from './recompress.ts';
import { logs } from './tables/logs.ts';
import { metrics } from './tables/metrics.ts';
import {
  logsPerMinute,
  logsPerMinuteView,
  recordExactFrom,
  traceTimesView,
} from './tables/rollup.ts';
import { createTable, type SchemaOptions } from './tables/schema.ts';
import { traces, traceTimes } from './tables/traces.ts';

const admin: QueryOptions = { purpose: 'admin', timeoutMs: 120_000 };
export const tables = [logs, logsPerMinute, traces, traceTimes, ...metrics];

export interface Migration {
  name: string;
  /**
   * What the step means for processes of a version that does not know it. With `expand` they go on:
   * it adds tables, indexes, and columns that have a default. With `contract` they must have ended.
   * A contract step comes with one in the metadata store, which waits until they have.
   */
  kind: 'expand' | 'contract';
  /**
   * Done again without harm: two processes may start at the same time, and one may be killed
   * half-way.
   */
  run(telemetry: Telemetry, database: string, options: SchemaOptions): Promise<void>;
}

/** Forward only: what has been released is never changed, only followed. */
export const migrations: readonly Migration[] = [
  {
    name: 'OpenTelemetry tables, trace times, log counts by minute',
    kind: 'contract',
    async run(telemetry, database, options) {
      for (const table of tables) {
        await telemetry.command(createTable(database, table, options), admin);
        await adoptTable(telemetry, database, table, options);
      }
      await createViews(telemetry, database, options);
      await recordExactFrom(telemetry, database, options);
    },
  },
  {
    name: 'attributes compressed more',
    kind: 'expand',
    async run(telemetry, database, options) {
      for (const table of tables) {
        await recompressAttributes(telemetry, database, table, options);
      }
    },
  },
];

/** Creates the views that feed the trace times and the rollup, where they are missing. */
export async function createViews(
  telemetry: Pick<Telemetry, 'command'>,
  database: string,
  options: SchemaOptions,
): Promise<void> {
  await telemetry.command(traceTimesView(database, options), admin);
  await telemetry.command(logsPerMinuteView(database, options), admin);
}
