import type { Pipe } from '../../src/contract/pipe/pipe.ts';
import type { PipeCheck, PipeDiscovery } from '../../src/contract/pipe/pipe-draft.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { until } from '../kit/eventually.ts';
import type { PipeWorld } from './pipe-world.ts';

type Source = Record<string, unknown>;

/** What callers do with a source of one kind before they create a pipe. */
export function pipeDrafts(world: () => PipeWorld, kind: string) {
  const call = async <T>(
    operation: string,
    source: Source,
    rest: object,
    signal?: AbortSignal,
  ): Promise<T> =>
    (
      await world().call(operation, {
        body: { source: { [kind]: source }, ...rest },
        ...(signal && { signal }),
      })
    ).value;
  return {
    check: (source: Source, rest: object = {}): Promise<PipeCheck> =>
      call('checkPipe', source, rest),
    list: (source: Source, rest: object = {}): Promise<PipeDiscovery> =>
      call('discoverPipe', source, rest),
    look: (
      source: Source,
      item: string,
      rest: object = {},
      signal?: AbortSignal,
    ): Promise<PipeDiscovery> => call('discoverPipe', source, { item, ...rest }, signal),
    /** Creates the pipe that the discovery proposes. */
    create: (source: Source, { proposal }: PipeDiscovery, rest: object = {}): Promise<Pipe> => {
      if (!proposal) {
        throw new Error('nothing is proposed');
      }
      const chosen = (proposal.source as Record<string, Source>)[kind];
      const { destination = {}, fieldMappings } = proposal;
      return world().create({
        source: { [kind]: { ...source, ...chosen } },
        destination: { database: 'shop', ...destination },
        ...(fieldMappings.length > 0 && { fieldMappings }),
        ...rest,
      });
    },
  };
}

/** The rows of a table once there are so many. */
export async function arrivedRows(
  world: PipeWorld,
  table: string,
  count: number,
): Promise<Record<string, unknown>[]> {
  const statement = sql`SELECT * FROM ${qualified('shop', table)} ORDER BY ALL`;
  return until(`${count} rows in ${table}`, async () => {
    const { columns, rows } = await world.engine.query(statement, {
      purpose: 'admin',
      timeoutMs: 30_000,
    });
    return (
      rows.length === count &&
      rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])))
    );
  });
}

export const columnsOf = ({ proposal }: PipeDiscovery): Record<string, string> =>
  Object.fromEntries((proposal?.destination?.columns ?? []).map(({ name, type }) => [name, type]));
