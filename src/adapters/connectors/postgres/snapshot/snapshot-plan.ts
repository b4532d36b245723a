import type { Client } from 'pg';
import type { Position } from '../../../../ports/batch.ts';
import { SourceFailed } from '../../../../ports/connector.ts';
import { nameOf, type SourceTable } from '../tables/tables.ts';

/** A part of one heap that one reader reads from start to end, in ranges. */
export interface Segment {
  /** OID of the table, or of a partition of it. */
  oid: number;
  /**
   * The heap's file node. It changes when the rows move to new places (VACUUM FULL, CLUSTER, a
   * rewriting ALTER TABLE).
   */
  node: number;
  fromBlock: number;
  /** Absent: up to the end of the heap at the time it is reached. */
  toBlock?: number;
}

/**
 * How a table is read. It is stored as the position of the table's control partition, so that the
 * next reader divides the table in the same way.
 */
export interface TablePlan {
  generation: string;
  /** Names the plan. Positions of segments start with it. */
  id: string;
  segments: Segment[];
  /**
   * LSN of the one snapshot that the whole table is read from. Only set if the target appends rows:
   * there no version tells a row from its repetition.
   */
  at?: string;
}

/** Progress of a table's snapshot. */
export type TableState = { generation: string } & (
  | { plan: TablePlan }
  | { done: true; at?: string }
  | { removed: true }
);

export function stateText(state: TableState): Position {
  return JSON.stringify('plan' in state ? state.plan : state);
}

export function parseState(text: Position): TableState {
  const value = JSON.parse(text) as { generation: string; segments?: Segment[] };
  return value.segments
    ? { generation: value.generation, plan: value as TablePlan }
    : (value as TableState);
}

interface Heap {
  oid: number;
  node: number;
  blocks: number;
}

/**
 * Divides a table into at most `parallelism` segments, and a partitioned table into its partitions.
 */
export async function planTable(
  client: Client,
  table: SourceTable,
  options: { generation: string; id: string; parallelism: number; rowsPerPartition: number },
): Promise<TablePlan> {
  const { rows } = await client.query<{
    oid: string;
    node: string;
    blocks: string;
    kind: string;
    rows: number;
  }>(heapsQuery, [table.oid]);
  if (rows.some(({ kind }) => kind === 'f')) {
    throw new SourceFailed(
      `table ${nameOf(table.mapping)} has a foreign table as a partition, which cannot be read. ` +
        'Detach the partition, or remove the table with tableMappingsToRemove.',
    );
  }
  const heaps = rows.map(({ oid, node, blocks, rows: count }): Heap & { rows: number } => ({
    oid: Number(oid),
    node: Number(node),
    blocks: Number(blocks),
    rows: count,
  }));
  const segments = heaps.flatMap(({ rows: count, ...heap }) =>
    divide(
      heap,
      table.partitioned
        ? 1
        : Math.min(options.parallelism, Math.max(1, Math.ceil(count / options.rowsPerPartition))),
    ),
  );
  return { generation: options.generation, id: options.id, segments };
}

function divide({ oid, node, blocks }: Heap, parts: number): Segment[] {
  const count = Math.max(1, Math.min(parts, blocks));
  return Array.from({ length: count }, (_, index) => ({
    oid,
    node,
    fromBlock: Math.floor((blocks * index) / count),
    ...(index === count - 1 ? {} : { toBlock: Math.floor((blocks * (index + 1)) / count) }),
  }));
}

/** Whether the rows are still at the places they had when the plan was made. */
export async function stillThere(client: Client, { segments }: TablePlan): Promise<boolean> {
  const { rows } = await client.query<{ oid: string; node: string | null }>(
    'SELECT oid::text AS oid, pg_relation_filenode(oid)::text AS node FROM unnest($1::oid[]) AS oid',
    [[...new Set(segments.map(({ oid }) => oid))]],
  );
  const nodes = new Map(rows.map(({ oid, node }) => [Number(oid), Number(node ?? -1)]));
  return segments.every(({ oid, node }) => nodes.get(oid) === node);
}

const heapsQuery = `
SELECT c.oid::text AS oid, pg_relation_filenode(c.oid)::text AS node, c.relkind::text AS kind,
       CASE WHEN c.relkind = 'r'
            THEN (pg_relation_size(c.oid) / current_setting('block_size')::int)::text
            ELSE '0' END AS blocks,
       greatest(c.reltuples,
                CASE WHEN c.relkind = 'r' THEN pg_relation_size(c.oid) / 200 ELSE 0 END)::float8 AS rows
FROM pg_catalog.pg_class c
WHERE c.relkind IN ('r', 'f')
  AND c.oid IN (SELECT $1::oid UNION SELECT relid FROM pg_catalog.pg_partition_tree($1::oid))
ORDER BY c.oid`;

/** The next block of a segment, or its end. Undefined if the position belongs to another plan. */
export function segmentPosition(
  plan: TablePlan,
  text: Position | undefined,
): number | 'end' | undefined {
  if (text === undefined || !text.startsWith(`${plan.id}:`)) {
    return undefined;
  }
  const block = text.slice(plan.id.length + 1);
  return block === 'end' ? 'end' : Number(block);
}

export const segmentText = (plan: TablePlan, block: number | 'end'): Position =>
  `${plan.id}:${block}`;

/** Name of the runner's partition for a segment. */
export const segmentPartition = (targetTable: string, index: number): string =>
  `table/${targetTable}/${index}`;
