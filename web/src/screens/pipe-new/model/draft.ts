import type { CreateBody, SourceDraft } from '../../../api/queries/new-pipe.ts';
import type { PipeKind } from '../../../pipes/kinds.ts';
import { splitList } from '../../../view/split-list.ts';
import { steps, type Step } from '../params.ts';
import { columnParts, columnPath, type ColumnRow } from './columns.ts';
import { fieldAt, objectOf, textOf, type SourceField, type Texts } from './fields.ts';
import { kinds } from './kinds/kinds.ts';
import { scalingNames, settingNames } from './setting-names.ts';
import { tableMappings, tablePath, type TableRow } from './tables.ts';

/** A pipe as the person edits it, without its credentials. */
export interface PipeDraft {
  /** Texts of fields, by name. */
  texts: Texts;
  /** The topic, stream or object whose records show. */
  item: string;
  columns: readonly ColumnRow[];
  /** The item whose records the columns were proposed from. */
  columnsOf: string;
  /** The name of the table that was proposed with them. */
  proposedTable: string;
  /** Whether the person has changed the columns since. */
  isEdited: boolean;
  tables: readonly TableRow[];
  /** Names of the credentials that were entered. */
  entered: readonly string[];
}

const usual: Partial<Record<PipeKind, Texts>> = {
  objectStorage: { authentication: 'IAM_USER' },
  cloudstream: { authentication: 'IAM_USER' },
};

export const newDraft = (kind: PipeKind): PipeDraft => ({
  texts: usual[kind] ?? {},
  item: '',
  columns: [],
  columnsOf: '',
  proposedTable: '',
  isEdited: false,
  tables: [],
  entered: [],
});

/** Fields of the destination and of the pipe itself, beside those of the source. */
const ownNames = [
  'name',
  'database',
  'table',
  'isExisting',
  'engine',
  'versionColumn',
  'sumColumns',
  'partitionBy',
] as const;

export const fieldsOfStep = (kind: PipeKind, step: 'connection' | 'settings'): SourceField[] =>
  kinds[kind].fields.filter(({ isSetting }) => (isSetting === true) === (step === 'settings'));

/** Every field with a text. */
export const fieldNames = (kind: PipeKind): string[] => [
  ...kinds[kind].fields.map(({ name }) => name),
  ...ownNames,
  ...scalingNames,
  ...settingNames(kind),
];

/** What a check of the connection sends. */
export const connectionOf = (kind: PipeKind, texts: Texts): SourceDraft => ({
  [kind]: objectOf(fieldsOfStep(kind, 'connection'), texts),
});

/** The topics, the stream or the tables. The objects are those of the connection. */
function choiceOf(kind: PipeKind, { item, tables }: PipeDraft): object {
  switch (kind) {
    case 'kafka':
      return { topics: item };
    case 'cloudstream':
      return { streamName: item };
    case 'postgres':
      return { tableMappings: tableMappings(tables) };
    default:
      return {};
  }
}

/** The source of the pipe: connection, choice and settings. */
export const sourceOf = (
  kind: PipeKind,
  draft: PipeDraft,
  secrets: Texts,
): CreateBody['source'] => {
  const texts = { ...draft.texts, ...secrets };
  return { [kind]: { ...objectOf(kinds[kind].fields, texts), ...choiceOf(kind, draft) } };
};

/** The pipe as the API takes it. */
export function bodyOf(kind: PipeKind, draft: PipeDraft, secrets: Texts): CreateBody {
  const { texts } = draft;
  const name = textOf(texts, 'name').trim();
  const settings = numbersOf(texts, settingNames(kind));
  const scaling = numbersOf(texts, scalingNames);
  const fieldMappings = kind === 'postgres' ? [] : columnParts(draft.columns).fieldMappings;
  return {
    ...(name !== '' && { name }),
    source: sourceOf(kind, draft, secrets),
    destination: destinationOf(kind, draft),
    ...(fieldMappings.length > 0 && { fieldMappings }),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(Object.keys(scaling).length > 0 && { scaling }),
  };
}

function numbersOf(texts: Texts, names: readonly string[]): Record<string, number | boolean> {
  const given = names
    .map((name) => [name, textOf(texts, name).trim()] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => [
      name,
      ['true', 'false'].includes(text) ? text === 'true' : Number(text),
    ]);
  return Object.fromEntries(given) as Record<string, number | boolean>;
}

function destinationOf(kind: PipeKind, { texts, columns }: PipeDraft) {
  const database = textOf(texts, 'database').trim();
  const common = database === '' ? {} : { database };
  if (kind === 'postgres') {
    return common;
  }
  const parts = columnParts(columns);
  const table = { table: textOf(texts, 'table').trim(), columns: parts.columns };
  return textOf(texts, 'isExisting') === 'true'
    ? { ...common, ...table, managedTable: false }
    : { ...common, ...table, tableDefinition: definitionOf(texts, parts.sortingKey) };
}

type Engine = NonNullable<
  NonNullable<NonNullable<CreateBody['destination']>['tableDefinition']>['engine']
>['type'];

function definitionOf(texts: Texts, sortingKey: string[]) {
  const engine = textOf(texts, 'engine');
  const version = textOf(texts, 'versionColumn').trim();
  const sums = splitList(textOf(texts, 'sumColumns'));
  const partitionBy = textOf(texts, 'partitionBy').trim();
  return {
    ...(engine !== '' && {
      engine: {
        type: engine as Exclude<Engine, undefined>,
        ...(engine === 'ReplacingMergeTree' && version !== '' && { versionColumnId: version }),
        ...(engine === 'SummingMergeTree' && sums.length > 0 && { columnIds: sums }),
      },
    }),
    sortingKey,
    ...(partitionBy !== '' && { partitionBy }),
  };
}

/** Names in the form of fields with another name in the API. */
const destinationNames: Record<string, string> = {
  database: 'database',
  table: 'table',
  managedTable: 'isExisting',
  'tableDefinition.engine.versionColumnId': 'versionColumn',
  'tableDefinition.engine.columnIds': 'sumColumns',
  'tableDefinition.engine': 'engine',
  'tableDefinition.partitionBy': 'partitionBy',
  'tableDefinition.sortingKey': 'columns',
};

/** Where the form shows a mistake of the API. A path that it does not have stays as it is. */
export function formPath(kind: PipeKind, draft: PipeDraft, texts: Texts, path: string): string {
  const [first = '', ...rest] = path.split('.');
  if (first === 'source') {
    const [own, ...below] = rest;
    return own === kind ? (sourcePath(kind, texts, below) ?? path) : path;
  }
  if (first === 'destination') {
    const [part, index, name] = rest;
    if (part === 'columns') {
      return columnPath(draft.columns, index, name);
    }
    const within = rest.join('.');
    const known = Object.keys(destinationNames).find(
      (one) => within === one || within.startsWith(`${one}.`),
    );
    return known === undefined ? path : (destinationNames[known] ?? path);
  }
  if (first === 'fieldMappings') {
    return columnPath(draft.columns, rest[0], rest[1]);
  }
  return (first === 'settings' || first === 'scaling') && rest.length > 0 ? rest.join('.') : path;
}

function sourcePath(kind: PipeKind, texts: Texts, below: string[]): string | undefined {
  const [first, index, part] = below;
  if (first === 'tableMappings') {
    return tablePath(index, part);
  }
  return first === 'topics' || first === 'streamName'
    ? 'item'
    : fieldAt(kinds[kind].fields, texts, below.join('.'));
}

/** The step that shows a path of the form. */
export function stepOf(kind: PipeKind, path: string): Step | undefined {
  const [name = ''] = path.split('.', 1);
  if (name === 'item') {
    return 'data';
  }
  if (name === 'columns') {
    return 'columns';
  }
  if (name === 'tables') {
    return path === 'tables' ? 'data' : 'columns';
  }
  if (fieldsOfStep(kind, 'connection').some((field) => field.name === name)) {
    return 'connection';
  }
  return path.includes('.') ? undefined : 'settings';
}

/** The first step that shows one of the mistakes. */
export function firstStep(kind: PipeKind, issues: readonly { path: string }[]): Step | undefined {
  const found = issues.map(({ path }) => stepOf(kind, path));
  return steps.find((step) => found.includes(step));
}
