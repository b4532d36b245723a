import type { ExplainedQuery, ExplainResult, UsedIndex } from '../../../contract/query/explain.ts';
import type { QueryResult } from '../../../ports/telemetry.ts';
import type { Sql } from '../../../sql/sql.ts';
import { emitEnginePlan, emitEstimate } from '../emit/emit-explain.ts';
import { withoutBuckets } from '../plan/among-groups.ts';
import type { Plan } from '../plan/plan.ts';

type Run = (statement: Sql) => Promise<QueryResult>;

/** What the engine would read for each statement. It runs none of them. */
export async function explain(statements: readonly Sql[], run: Run): Promise<ExplainResult> {
  const queries = await Promise.all(
    statements.map(async (statement): Promise<ExplainedQuery> => {
      const [estimate, tree] = await Promise.all([
        run(emitEstimate(statement)),
        run(emitEnginePlan(statement)),
      ]);
      return {
        sql: statement.text,
        reads: estimate.rows.map(([, table, parts, rows, marks]) => ({
          table: String(table),
          parts: Number(parts),
          rows: Number(rows),
          marks: Number(marks),
        })),
        indexes: tree.rows.flatMap(([text]) => indexesOf(JSON.parse(String(text)))),
      };
    }),
  );
  return { queries };
}

/** The plans that a chart runs. With a limit it first ranks the groups over the whole range. */
export const plansOf = (plan: Plan, limit: number | undefined): Plan[] =>
  limit !== undefined && plan.grouped ? [withoutBuckets({ ...plan, ratio: false }), plan] : [plan];

interface EngineIndex {
  Type?: string;
  Name?: string;
  Keys?: string[];
  'Initial Parts'?: number;
  'Selected Parts'?: number;
  'Initial Granules'?: number;
  'Selected Granules'?: number;
}

/** The indexes in the engine's plan, in the order in which it applies them. */
function indexesOf(node: unknown): UsedIndex[] {
  if (Array.isArray(node)) {
    return node.flatMap(indexesOf);
  }
  if (typeof node !== 'object' || node === null) {
    return [];
  }
  const { Indexes: own, Description: place, ...rest } = node as Record<string, unknown>;
  const indexes = Array.isArray(own) ? (own as EngineIndex[]) : [];
  return [
    ...indexes.map((index) => usedIndex(index, tableOf(place))),
    ...Object.values(rest).flatMap(indexesOf),
  ];
}

/** Of `database.table`. */
const tableOf = (place: unknown): string =>
  typeof place === 'string' ? place.slice(place.indexOf('.') + 1) : '';

const usedIndex = (index: EngineIndex, table: string): UsedIndex => ({
  table,
  type: index.Type ?? '',
  ...(index.Name !== undefined && { name: index.Name }),
  ...(index.Keys !== undefined && { keys: index.Keys }),
  parts: index['Initial Parts'] ?? 0,
  selectedParts: index['Selected Parts'] ?? 0,
  granules: index['Initial Granules'] ?? 0,
  selectedGranules: index['Selected Granules'] ?? 0,
});
