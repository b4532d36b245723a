/**
 * Syntax tree of a lucene condition, before its columns are resolved. `at` is the position in the
 * text, from 0.
 */
export type LuceneTree =
  | { kind: 'all' }
  | { kind: 'and' | 'or'; of: LuceneTree[] }
  | { kind: 'not'; of: LuceneTree }
  | { kind: 'term'; field: FieldName | undefined; value: LuceneValue; at: number };

export interface FieldName {
  path: string;
  at: number;
}

export type LuceneValue =
  /** `"a phrase"` */
  | { kind: 'phrase'; text: string }
  /** A word cut at its unescaped stars: `x` is ['x'], `x*` is ['x', ''], `*` is ['', '']. */
  | { kind: 'word'; parts: string[] }
  | { kind: 'compare'; operator: '>' | '>=' | '<' | '<='; bound: string }
  /** `undefined` is an open end (`*`). */
  | {
      kind: 'range';
      from: string | undefined;
      to: string | undefined;
      includeFrom: boolean;
      includeTo: boolean;
    };
