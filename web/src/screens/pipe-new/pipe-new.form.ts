import { checkPipe } from '../../../../src/contract/pipe/pipe-draft.ts';
import { createPipe } from '../../../../src/contract/pipe/pipe.ts';
import {
  defaultPipeScaling,
  pipeSettingBounds,
  pipeSettingSwitches,
} from '../../../../src/contract/pipe/settings.ts';
import { sourceContracts } from '../../../../src/contract/pipe/sources.ts';
import { schemaIssues } from '../../../../src/contract/schema-issues.ts';
import type { FormIssue } from '../../kit/use-form.ts';
import type { PipeKind } from '../../pipes/kinds.ts';
import { bodyOf, connectionOf, formPath, type PipeDraft } from './model/draft.ts';
import type { Texts } from './model/fields.ts';

/** The rules and messages of the API, in the browser. Loaded after the first paint. */

/** Mistakes that the API would find in a connection. */
export function connectionIssues(kind: PipeKind, draft: PipeDraft, secrets: Texts): FormIssue[] {
  const texts = { ...draft.texts, ...secrets };
  const source = connectionOf(kind, texts);
  const { error, data } = checkPipe.body.safeParse({ source });
  const issues = [
    ...schemaIssues(error?.issues ?? []),
    ...(data ? mistakesOf(kind, data.source) : []),
  ];
  return issues.map(readable).map((issue) => atField(kind, draft, texts, issue));
}

/** Rules between fields, which the schema of a draft does not have. */
function mistakesOf(kind: PipeKind, source: Readonly<Record<string, unknown>>): FormIssue[] {
  const mistakes = sourceContracts[kind].mistakes as (
    settings: unknown,
  ) => [path: (string | number)[], message: string][];
  return mistakes(source[kind]).map(([path, message]) => ({
    path: ['source', kind, ...path].join('.'),
    message,
  }));
}

/** Mistakes that the API would find in the whole pipe. */
export function createIssues(kind: PipeKind, draft: PipeDraft, secrets: Texts): FormIssue[] {
  const texts = { ...draft.texts, ...secrets };
  const { error } = createPipe.body.safeParse(bodyOf(kind, draft, secrets));
  return schemaIssues(error?.issues ?? [])
    .map(readable)
    .map((issue) => atField(kind, draft, texts, issue));
}

const atField = (
  kind: PipeKind,
  draft: PipeDraft,
  texts: Texts,
  { path, message }: FormIssue,
): FormIssue => ({ path: formPath(kind, draft, texts, path), message });

const readable = ({ path, message }: FormIssue): FormIssue => ({
  path,
  message: message.endsWith('received NaN') ? 'must be a number' : message,
});

/** What the contract says of a setting. */
export function settingText(name: string): { says: string; standard: string } | undefined {
  const setting =
    pipeSettingBounds[name as keyof typeof pipeSettingBounds] ??
    pipeSettingSwitches[name as keyof typeof pipeSettingSwitches];
  return setting && { says: `${setting.says}.`, standard: String(setting.default) };
}

export const scalingDefault = (name: keyof typeof defaultPipeScaling): string =>
  String(defaultPipeScaling[name]);
