import type { z } from 'zod';

/** The settings of a source of any kind. Only the files of that kind know its fields. */
export type SourceSettings = Readonly<Record<string, unknown>>;

/** A violated rule: the path of the field and the message. */
export type Mistake = [path: (string | number)[], message: string];

/**
 * The fields of one kind of source that clients send and see. The server's own rules for the kind
 * are in `src/core/pipes/kinds`.
 */
export interface SourceContract<Settings extends SourceSettings = SourceSettings> {
  /** The fields that create a pipe, credentials included. */
  input: z.ZodType<Settings>;
  /**
   * The fields that check or explore a source before a pipe exists. Unlike in `input`, the fields
   * that name topics, tables or streams may be absent, and rules between fields are not checked.
   */
  draft: z.ZodType<Settings>;
  /**
   * The fields that responses show. This is an allow list: every part of `input` that this schema
   * lacks is sealed before it is stored.
   */
  record: z.ZodObject;
  /**
   * Parts of `record` that hold a secret, by dotted path. Answers show the masked text; the text
   * itself is sealed.
   */
  masks: Readonly<Record<string, (text: string) => string>>;
  /** The fields that a PATCH can change. */
  update: z.ZodType<SourceSettings>;
  /** Fields that the kind offers for each record besides those in the record's own data. */
  virtualFields: readonly string[];
  /**
   * The field that names the target tables. Null: the pipe has one table, and `destination` names
   * it.
   */
  tablesField: (string & keyof Settings) | null;
  /** Rules between fields. Checked at creation, and again for the result of a PATCH. */
  mistakes(source: Settings): Mistake[];
}

export type SourceContracts = Readonly<Record<string, SourceContract>>;
