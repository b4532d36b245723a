import type { WhereLanguage } from '../../../contract/common.ts';
import type { Issue } from '../../../contract/errors.ts';
import type { Source, SourceInput } from '../../../contract/source.ts';
import { collect, compileOperand, compileWhere } from './compile.ts';
import { parseList } from '../expression/parse-expression.ts';
import type { Fields } from './fields.ts';

/**
 * Every expression of a source, checked against these fields (`anyField` while there is no table).
 */
export function sourceIssues(source: SourceInput, fields: Fields): Issue[] {
  const issues: Issue[] = [];
  for (const [name, text] of Object.entries(source)) {
    if (!name.endsWith('Expression') || typeof text !== 'string') {
      continue;
    }
    if (name === 'defaultTableSelectExpression') {
      collect(issues, name, () => parseList(text, fields, 'select'));
    } else {
      collect(issues, name, () => compileOperand(text, fields));
    }
  }
  return issues;
}

export function conditionIssues(
  source: Source | SourceInput,
  fields: Fields,
  where: string,
  language: WhereLanguage,
  path = 'where',
): Issue[] {
  const issues: Issue[] = [];
  collect(issues, path, () => compileWhere(source, fields, where, language));
  return issues;
}

export function expressionIssues(fields: Fields, text: string, path: string): Issue[] {
  const issues: Issue[] = [];
  collect(issues, path, () => compileOperand(text, fields));
  return issues;
}
