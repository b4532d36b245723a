import { useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import type { TelemetryTable } from '../../../api/queries/sources.ts';
import { emptyDraft, inputOf, tableNames, withTable, type SourceDraft } from './draft.ts';
import type { ExpressionName, MetricType, SourceKind } from './source-parts.ts';

type FieldIssue = ApiError['issues'][number];

/** The draft of a source, and what is wrong with it. */
export interface SourceForm {
  draft: SourceDraft;
  isChanged: boolean;
  issues: readonly FieldIssue[];
  /** Counts the times that mistakes were found: the first of them gets the focus. */
  refusals: number;
  /** The message for a field, by its path in the API. */
  errorAt(path: string): string | undefined;
  setName(name: string): void;
  setTime(text: string): void;
  setTable(name: string, tables: readonly TelemetryTable[]): void;
  setMetricTable(type: MetricType, name: string, tables: readonly TelemetryTable[]): void;
  setExpression(name: ExpressionName, text: string): void;
  setPrecision(precision: SourceDraft['durationPrecision']): void;
  setKind(kind: SourceKind, tables: readonly TelemetryTable[]): void;
  reset(draft: SourceDraft): void;
  /** Takes the mistakes that the schema or the API found. Others are thrown on. */
  refuse(issues: readonly FieldIssue[]): void;
  /** Whether the draft has no mistake that its schema knows. */
  check(): Promise<boolean>;
}

/** @param isNew fills in what a chosen table tells */
export function useSourceForm(initial: SourceDraft, isNew: boolean): SourceForm {
  const [base, setBase] = useState(initial);
  const [draft, setDraft] = useState(initial);
  const [written, setWritten] = useState<ReadonlySet<string>>(new Set());
  const [issues, setIssues] = useState<readonly FieldIssue[]>([]);
  const [refusals, setRefusals] = useState(0);
  const refuse = (found: readonly FieldIssue[]): void => {
    setIssues(found);
    setRefusals((count) => count + Number(found.length > 0));
  };
  /** The mistakes of a field are of its old text. */
  const settle = (prefix: string): void =>
    setIssues((all) => all.filter(({ path }) => path !== prefix && !path.startsWith(`${prefix}.`)));
  const change = (path: string, part: string, changes: Partial<SourceDraft>): void => {
    setDraft((before) => ({ ...before, ...changes }));
    setWritten((before) => new Set([...before, part]));
    settle(path);
  };
  const setTables = (
    changes: Partial<SourceDraft>,
    path: string,
    tables: readonly TelemetryTable[],
  ): void => {
    setDraft((before) => {
      const next = { ...before, ...changes };
      const [first] = tableNames(next);
      const table = tables.find(({ tableName }) => tableName === first);
      return isNew && table ? withTable(next, table, written) : next;
    });
    settle(path);
  };
  return {
    draft,
    isChanged: JSON.stringify(inputOf(draft)) !== JSON.stringify(inputOf(base)),
    issues,
    refusals,
    errorAt: (path) => issues.find((issue) => issue.path === path)?.message,
    setName: (name) => change('name', 'name', { name }),
    setTime: (time) => change('timestampValueExpression', 'time', { time }),
    setTable: (tableName, tables) => setTables({ tableName }, 'from', tables),
    setMetricTable: (type, name, tables) =>
      setTables({ metricTables: { ...draft.metricTables, [type]: name } }, 'metricTables', tables),
    setExpression: (name, text) =>
      change(name, name, { expressions: { ...draft.expressions, [name]: text } }),
    setPrecision: (durationPrecision) =>
      change('durationPrecision', 'durationPrecision', { durationPrecision }),
    setKind: (kind, tables) => {
      const own = new Set([...written].filter((part) => part === 'name'));
      setIssues([]);
      setWritten(own);
      const fits = tables.some(
        ({ tableName, sourceKinds }) => tableName === draft.tableName && sourceKinds.includes(kind),
      );
      const next: SourceDraft = {
        ...emptyDraft(kind, draft.databaseName),
        name: own.has('name') ? draft.name : '',
        ...(kind === 'metric' && { metricTables: metricTablesOf(tables) }),
        ...(fits && { tableName: draft.tableName }),
      };
      const [first] = tableNames(next);
      const table = tables.find(({ tableName }) => tableName === first);
      setDraft(table ? withTable(next, table, own) : next);
    },
    reset: (to) => {
      setBase(to);
      setDraft(to);
      setIssues([]);
    },
    refuse,
    check: async () => {
      const { sourceIssues } = await import('./source.form.ts');
      const found = sourceIssues(inputOf(draft));
      refuse(found.map((issue) => ({ ...issue, path: formPath(issue.path, draft) })));
      return found.length === 0;
    },
  };
}

/** A metric source has no table of its own in the form: it needs one of its types. */
const formPath = (path: string, { kind }: SourceDraft): string =>
  kind === 'metric' && path === 'from.tableName' ? 'metricTables' : path;

/** The first table of each type of metrics. */
function metricTablesOf(tables: readonly TelemetryTable[]): SourceDraft['metricTables'] {
  const found: SourceDraft['metricTables'] = {};
  for (const { metricDataType, tableName } of tables) {
    if (metricDataType) {
      found[metricDataType] ??= tableName;
    }
  }
  return found;
}
