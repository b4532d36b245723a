import type {
  Source,
  SourceChange,
  SourceInput,
  TelemetryTable,
} from '../../../api/queries/sources.ts';
import { splitList } from '../../../view/split-list.ts';
import {
  metricTypes,
  partsOf,
  usualTime,
  type ExpressionName,
  type MetricType,
  type Precision,
  type SourceKind,
} from './source-parts.ts';

/** A source as the form has it: every text may be empty. */
export interface SourceDraft {
  kind: SourceKind;
  name: string;
  databaseName: string;
  tableName: string;
  metricTables: Partial<Record<MetricType, string>>;
  time: string;
  expressions: Partial<Record<ExpressionName, string>>;
  durationPrecision: Precision;
}

export const emptyDraft = (kind: SourceKind, databaseName: string): SourceDraft => ({
  kind,
  name: '',
  databaseName,
  tableName: '',
  metricTables: {},
  time: usualTime[kind],
  expressions: {},
  durationPrecision: 9,
});

export function draftOf(source: Source): SourceDraft {
  const values: Partial<Record<ExpressionName, string>> = source;
  const expressions = Object.fromEntries(
    partsOf(source.kind).map(({ name }) => [name, values[name] ?? '']),
  );
  return {
    kind: source.kind,
    name: source.name,
    databaseName: source.from.databaseName,
    tableName: source.from.tableName,
    metricTables: source.kind === 'metric' ? source.metricTables : {},
    time: source.timestampValueExpression,
    expressions,
    durationPrecision: source.kind === 'trace' ? (source.durationPrecision ?? 9) : 9,
  };
}

/** The draft as the API takes it. */
export function inputOf(draft: SourceDraft): SourceInput {
  const { kind, databaseName } = draft;
  const metricTables = Object.fromEntries(
    metricTypes.flatMap((type) => {
      const name = draft.metricTables[type]?.trim() ?? '';
      return name === '' ? [] : [[type, name]];
    }),
  );
  const [firstTable = ''] = Object.values(metricTables);
  const input = {
    kind,
    name: draft.name.trim(),
    from: {
      databaseName,
      // A metric source reads the tables of its types.
      tableName: kind === 'metric' ? firstTable : draft.tableName.trim(),
    },
    timestampValueExpression: draft.time.trim(),
    ...Object.fromEntries(
      partsOf(kind).flatMap(({ name }) => {
        const text = draft.expressions[name]?.trim() ?? '';
        return text === '' ? [] : [[name, text]];
      }),
    ),
    ...(kind === 'metric' && { metricTables }),
    ...(kind === 'trace' && { durationPrecision: draft.durationPrecision }),
  };
  return input as SourceInput;
}

/** The change that makes the stored source this one: what is empty is cleared. */
export function changeOf(draft: SourceDraft): SourceChange {
  const { kind: _, ...input } = inputOf(draft);
  const cleared = partsOf(draft.kind)
    .filter(({ name }) => !(name in input))
    .map(({ name }) => [name, null]);
  return { ...input, ...Object.fromEntries(cleared) };
}

/** Names of the tables that the draft reads. */
export const tableNames = ({ kind, tableName, metricTables }: SourceDraft): string[] =>
  kind === 'metric'
    ? Object.values(metricTables).filter((name) => name !== '')
    : [tableName].filter((name) => name !== '');

/**
 * The draft with a table that was chosen for a new source: parts that the person has not written are
 * filled in from its columns.
 */
export function withTable(
  draft: SourceDraft,
  table: TelemetryTable,
  written: ReadonlySet<string>,
): SourceDraft {
  const has = (name: string): boolean => table.columns.some((column) => column.name === name);
  const usual = partsOf(draft.kind)
    .filter(({ name }) => !written.has(name))
    .map((part): [ExpressionName, string] => [
      part.name,
      splitList(part.usual).filter(has).join(', '),
    ]);
  return {
    ...draft,
    ...(!written.has('name') && { name: nameOf(draft.kind, table.tableName) }),
    ...(!written.has('time') && { time: timeOf(draft.kind, table) }),
    expressions: { ...draft.expressions, ...Object.fromEntries(usual) },
  };
}

/** `otel_audit_logs`: Audit logs */
function nameOf(kind: SourceKind, tableName: string): string {
  if (kind === 'metric') {
    return 'Metrics';
  }
  const words = tableName
    .replace(/^otel_/, '')
    .replaceAll('_', ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function timeOf(kind: SourceKind, { columns }: TelemetryTable): string {
  const times = columns.filter(({ type }) => isTime(type)).map(({ name }) => name);
  return times.find((name) => name === usualTime[kind]) ?? times[0] ?? '';
}

export const isTime = (type: string): boolean => /^(Nullable\()?Date/.test(type);

/** Fields in which two drafts differ, for a conflict. */
export function differingParts(
  one: SourceDraft,
  other: SourceDraft,
): { name: string; texts: [string, string] }[] {
  const parts: [name: string, text: (draft: SourceDraft) => string][] = [
    ['Name', ({ name }) => name],
    ['Table', ({ tableName }) => tableName],
    ...metricTypes.map((type): [string, (draft: SourceDraft) => string] => [
      `Table of ${type} metrics`,
      ({ metricTables }) => metricTables[type] ?? '',
    ]),
    ['Time', ({ time }) => time],
    ...partsOf(one.kind).map((part): [string, (draft: SourceDraft) => string] => [
      part.label,
      ({ expressions }) => expressions[part.name] ?? '',
    ]),
    ['Unit of duration', ({ durationPrecision }) => String(durationPrecision)],
  ];
  return parts
    .map(([name, text]) => ({ name, texts: [text(one), text(other)] as [string, string] }))
    .filter(({ texts }) => texts[0] !== texts[1]);
}
