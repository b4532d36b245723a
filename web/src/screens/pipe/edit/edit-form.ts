import type { Pipe, PipeChange, PipeScaling } from '../../../api/queries/pipes.ts';

/** What a dialog shows: texts by the names of its fields. */
export type Draft = Readonly<Record<string, string>>;

export interface EditField {
  /** Key in the draft, without dots. */
  name: string;
  label: string;
  hint?: string | undefined;
  /** `secret` and `secretLines` begin empty: the stored value is never shown. */
  look: 'text' | 'number' | 'lines' | 'secret' | 'secretLines' | 'switch' | 'choice';
  choices?: readonly { value: string; label: string }[];
  /** Where the value stands in the body, and where the API reports mistakes. */
  path: string;
  /** What the dialog begins with. */
  read(pipe: Pipe): string;
  /** An empty number restores the default. */
  isSetting?: boolean;
}

/** A change of a pipe in a dialog. */
export interface EditForm {
  title: string;
  /** What the change does. */
  about?: string;
  action: string;
  fields: readonly EditField[];
  /** Which operation takes the body. */
  target: 'pipe' | 'scaling';
  /** @param pipe the version that the change applies to */
  bodyOf(draft: Draft, pipe: Pipe): PipeChange | PipeScaling;
  /** Whether the form sends what it begins with, such as a new table. */
  isAddition?: boolean;
  /** What the message says afterwards. */
  done: string;
}

export const draftOf = (fields: readonly EditField[], pipe: Pipe): Draft =>
  Object.fromEntries(fields.map((field) => [field.name, field.read(pipe)]));

/** Only the fields that differ from what the dialog began with, at their paths. */
export function changesOf(fields: readonly EditField[], from: Draft, draft: Draft): object {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const text = draft[field.name] ?? '';
    const value = text === from[field.name] ? undefined : valueOf(field, text);
    if (value !== undefined) {
      put(body, field.path.split('.'), value);
    }
  }
  return body;
}

function valueOf({ look, isSetting }: EditField, text: string): unknown {
  switch (look) {
    case 'number': {
      const trimmed = text.trim();
      return trimmed === '' ? emptyNumber(isSetting) : Number(trimmed);
    }
    case 'switch':
      return text === 'true';
    default:
      return text;
  }
}

/** An empty setting restores the default; no other number can be empty. */
const emptyNumber = (isSetting = false): null | number => (isSetting ? null : Number.NaN);

function put(body: Record<string, unknown>, [key = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    body[key] = value;
    return;
  }
  const inner = (body[key] ?? {}) as Record<string, unknown>;
  body[key] = inner;
  put(inner, rest, value);
}

/** The name of the field that a mistake is about; undefined: no field of the form. */
export function fieldAt(fields: readonly EditField[], path: string): string | undefined {
  return fields
    .filter((field) => path === field.path || path.startsWith(`${field.path}.`))
    .toSorted((one, other) => other.path.length - one.path.length)[0]?.name;
}
