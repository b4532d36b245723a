/**
 * Syntax tree of a lucene condition, before its columns are resolved. `position` is the place in the
 * text, from 0.
 */
export type LuceneTree =
  | { kind: 'all' }
  | { kind: 'and' | 'or'; parts: LuceneTree[] }
  | { kind: 'not'; inner: LuceneTree }
  | { kind: 'term'; field: FieldName | undefined; value: LuceneValue; position: number };

export interface FieldName {
  path: string;
  position: number;
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
