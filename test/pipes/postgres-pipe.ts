import type { Client } from 'pg';
import { deletedColumn } from '../../src/adapters/connectors/postgres/tables/table-shape.ts';
import { compareTables, type Comparison } from '../kit/table-checksum.ts';
import { until } from '../kit/eventually.ts';
import type { PipeWorld } from './pipe-world.ts';

export interface PipedTable {
  table: string;
  key: readonly string[];
  engine?: 'MergeTree';
}

/** Body of a pipe that takes these tables over, each under its own name, in the database `shop`. */
export function postgresPipe(
  { port }: { port: number },
  tables: readonly PipedTable[],
  settings: object = {},
  source: object = {},
) {
  return {
    source: {
      postgres: {
        host: '127.0.0.1',
        port,
        database: 'postgres',
        credentials: { username: 'postgres', password: 'not asked for' },
        settings: { syncIntervalSeconds: 1, ...settings },
        tableMappings: tables.map(tableMapping),
        ...source,
      },
    },
    destination: { database: 'shop' },
  };
}

export function tableMapping({ table, engine }: PipedTable) {
  return {
    sourceSchemaName: 'public',
    sourceTable: table,
    targetTable: table,
    ...(engine === undefined ? {} : { tableEngine: engine }),
  };
}

/** Waits until every table equals its source. @throws Error with what differs. */
export async function allEqual(
  client: Client,
  world: PipeWorld,
  tables: readonly PipedTable[],
  timeoutMs = 60_000,
): Promise<(Comparison & { table: string })[]> {
  const compared: (Comparison & { table: string })[] = [];
  for (const { table, key, engine } of tables) {
    let last: Comparison | undefined;
    await until(
      `${table} equal to its source`,
      async () => {
        last = await compareTables(client, world.telemetry, {
          source: { schema: 'public', table },
          target: { database: 'shop', table },
          key,
          deletedColumn: engine === undefined ? deletedColumn : undefined,
        });
        return last.equal;
      },
      timeoutMs,
    ).catch((error: unknown) => {
      throw new Error(
        `${(error as Error).message}; ${table} has ${last?.sourceRows} rows at the source ` +
          `and ${last?.targetRows} in the target: ${last?.differences.join('\n')}`,
      );
    });
    compared.push({ ...last!, table });
  }
  return compared;
}
