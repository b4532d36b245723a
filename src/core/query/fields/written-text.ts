import type { WhereLanguage } from '../../../contract/common.ts';
import type { Issue } from '../../../contract/errors.ts';
import type { MetricDataType, Source } from '../../../contract/source.ts';
import type { Filter } from '../../../contract/query/filter.ts';
import { TimeSlice } from '../../../ports/time-slice.ts';
import { compileFilter, compileOperand, compileWhere } from './compile.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { ExpressionError } from './expression-error.ts';
import { anyField, type Fields } from './fields.ts';
import { placedGroups } from './group-by.ts';
import { listed, ordered } from '../plan/plan-search.ts';
import { parseLucene } from '../where/parse-lucene.ts';

/** A condition or expression to store and run later. */
export type WrittenText = {
  /** Path in the caller's input, for errors. */
  path: string;
  /**
   * Metric type, which selects the table of a metric source (default: the first configured type).
   */
  metricType?: MetricDataType | undefined;
} & Written;

type Written =
  /** The default language is lucene. */
  | { as: 'condition'; text: string; language?: WhereLanguage | undefined }
  | { as: 'expression' | 'groups' | 'columns' | 'order'; text: string }
  | { as: 'filter'; filter: Filter };

const groupsMax = 10;

/**
 * Checks texts over one source. Equal texts are checked once, and thousands of them do not keep
 * other requests waiting.
 */
export class WrittenTextCheck {
  private readonly source: Source | undefined;
  private readonly fields: ReadonlyMap<MetricDataType | undefined, Fields>;
  private readonly known = new Map<string, ExpressionError | undefined>();

  constructor(source: Source | undefined, fields: ReadonlyMap<MetricDataType | undefined, Fields>) {
    this.source = source;
    this.fields = fields;
  }

  async issues(texts: readonly WrittenText[]): Promise<Issue[]> {
    const issues: Issue[] = [];
    const slice = new TimeSlice();
    for (const text of texts) {
      if (slice.expired) {
        await slice.yieldToOthers();
      }
      const mistake = this.mistake(text);
      if (mistake) {
        issues.push({ path: mistake.pathIn(text.path), message: mistake.publicText });
      }
    }
    return issues;
  }

  private mistake(text: WrittenText): ExpressionError | undefined {
    const { path: _path, ...written } = text;
    const key = JSON.stringify(written);
    if (!this.known.has(key)) {
      this.known.set(key, this.check(text));
    }
    return this.known.get(key);
  }

  private check(text: WrittenText): ExpressionError | undefined {
    try {
      this.compile(text, this.fields.get(text.metricType) ?? anyField);
      return undefined;
    } catch (error) {
      if (error instanceof ExpressionError) {
        return error;
      }
      throw error;
    }
  }

  private compile(written: Written, fields: Fields): void {
    switch (written.as) {
      case 'condition':
        return this.condition(written.text, written.language ?? 'lucene', fields);
      case 'filter':
        return void (this.source && compileFilter(this.source, fields, written.filter));
      case 'expression':
        return void compileOperand(written.text, fields);
      case 'groups':
        return groups(written.text, fields);
      case 'columns':
        return void (written.text.trim() === '' || listed(written.text, fields));
      case 'order':
        return void ordered(written.text, fields);
    }
  }

  private condition(text: string, language: WhereLanguage, fields: Fields): void {
    if (this.source) {
      compileWhere(this.source, fields, text, language);
    } else if (text.trim() === '') {
      return;
    } else if (language === 'sql') {
      parseExpression(text, anyField);
    } else {
      parseLucene(text);
    }
  }
}

function groups(text: string, fields: Fields): void {
  const parts = placedGroups(text);
  const excess = parts[groupsMax];
  if (excess) {
    throw new ExpressionError(
      `rows may be grouped by at most ${groupsMax} expressions`,
      excess.position,
    );
  }
  for (const part of parts) {
    try {
      compileOperand(part.text, fields);
    } catch (error) {
      throw error instanceof ExpressionError && error.position !== undefined
        ? new ExpressionError(error.message, part.position + error.position)
        : error;
    }
  }
}
