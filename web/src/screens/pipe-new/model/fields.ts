/** Texts by the names of fields. An absent text is empty. */
export type Texts = Readonly<Record<string, string>>;

/** A field of a source, of its settings or of its scaling. */
export interface SourceField {
  /** Key of its text, without dots, and unique in the form. */
  name: string;
  label: string;
  hint?: string;
  placeholder?: string;
  look: 'text' | 'number' | 'lines' | 'secret' | 'secretLines' | 'switch' | 'choice';
  choices?: readonly { value: string; label: string; hint?: string }[];
  /** Where the value stands in the source; absent: it only decides which fields show. */
  path?: string;
  /** Never kept by the browser. */
  isCredential?: true;
  /** Whether the field matters with these texts; absent: always. */
  isShown?(texts: Texts): boolean;
  /** Asked for once the connection works. */
  isSetting?: true;
  /** Below the fields that everybody needs. */
  isRare?: true;
}

export const textOf = (texts: Texts, name: string): string => texts[name] ?? '';

export const shownFields = (fields: readonly SourceField[], texts: Texts): SourceField[] =>
  fields.filter(({ isShown }) => isShown === undefined || isShown(texts));

/** The value in a request; undefined: the field is left out. */
export function valueOf({ look }: Pick<SourceField, 'look'>, text: string): unknown {
  if (look === 'switch') {
    return text === 'true' ? true : undefined;
  }
  // Space around a secret may belong to it.
  const given = look === 'secret' ? text : text.trim();
  if (given === '') {
    return undefined;
  }
  if (look === 'number') {
    return Number(given);
  }
  // A PEM text ends with a line break, which a paste may lack.
  return look === 'secretLines' || look === 'lines' ? `${given}\n` : given;
}

/** The shown fields with a text, each at its path. */
export function objectOf(fields: readonly SourceField[], texts: Texts): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of shownFields(fields, texts)) {
    const value = valueOf(field, textOf(texts, field.name));
    if (field.path !== undefined && value !== undefined) {
      put(body, field.path.split('.'), value);
    }
  }
  return body;
}

function put(body: Record<string, unknown>, [key = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    body[key] = value;
    return;
  }
  const inner = (body[key] ?? {}) as Record<string, unknown>;
  body[key] = inner;
  put(inner, rest, value);
}

/** The name of the shown field that a path of the source is about, or begins with. */
export function fieldAt(
  fields: readonly SourceField[],
  texts: Texts,
  path: string,
): string | undefined {
  const shown = shownFields(fields, texts).filter((field) => field.path !== undefined);
  const within = shown
    .filter((field) => path === field.path || path.startsWith(`${field.path}.`))
    .toSorted((one, other) => (other.path?.length ?? 0) - (one.path?.length ?? 0));
  const below = shown.find((field) => field.path?.startsWith(`${path}.`));
  return (within[0] ?? below)?.name;
}
