import type { Expression } from '../expression/expression.ts';
import { ExpressionError } from '../fields/expression-error.ts';
import type { Fields } from '../fields/fields.ts';
import { stringType, type ValueType } from '../fields/value-type.ts';
import { all, fieldOperand, joined, type Condition, type Operand } from './condition.ts';
import { numberLiteral, timeLiteral, type Literal } from './literal.ts';
import type { FieldName, LuceneTree, LuceneValue } from './lucene-tree.ts';

/** The table that a lucene condition applies to. */
export interface LuceneScope {
  fields: Fields;
  /** The column that words without a field search. Undefined if the source has none. */
  implicit: Operand | undefined;
}

/**
 * Gives every term its column and meaning.
 * @throws ExpressionError for unknown columns and values that do not fit the column's type.
 */
export function resolveLucene(tree: LuceneTree, scope: LuceneScope): Condition {
  switch (tree.kind) {
    case 'all':
      return all;
    case 'and':
    case 'or':
      return joined(
        tree.kind,
        tree.parts.map((part) => resolveLucene(part, scope)),
      );
    case 'not':
      return negated(resolveLucene(tree.inner, scope));
    case 'term':
      return tree.field
        ? fieldTerm(tree.field, tree.value, tree.position, scope)
        : bareTerm(tree.value, tree.position, scope);
  }
}

/** The exact complement. */
export function negated(condition: Condition): Condition {
  return condition.kind === 'not' ? condition.inner : { kind: 'not', inner: condition };
}

function bareTerm(value: LuceneValue, position: number, { implicit }: LuceneScope): Condition {
  if (value.kind === 'word' && value.parts.every((part) => part === '')) {
    return all;
  }
  if (!implicit) {
    throw new ExpressionError(
      'this source has no text column for words without a field; write field:word',
      position,
    );
  }
  if (value.kind === 'phrase') {
    return value.text === '' ? all : tokens(implicit, value.text, false, false);
  }
  if (value.kind !== 'word') {
    throw new ExpressionError('a comparison needs a field before it', position);
  }
  const { parts } = value;
  const inner = parts.filter((part) => part !== '');
  const [only, ...others] = inner;
  if (only !== undefined && others.length === 0) {
    return tokens(implicit, only, parts[0] === '', parts.at(-1) === '');
  }
  return { kind: 'pattern', operand: implicit, parts: ['', ...inner, ''] };
}

function tokens(operand: Operand, text: string, openStart: boolean, openEnd: boolean): Condition {
  return { kind: 'tokens', operand, text, openStart, openEnd };
}

function fieldTerm(
  name: FieldName,
  value: LuceneValue,
  position: number,
  { fields }: LuceneScope,
): Condition {
  const field = fields.resolve(name.path, name.position);
  return valueTerm(fieldOperand(field), value, position, name.path);
}

/**
 * What a value says of an operand. `name` and `position` are for errors.
 * @throws ExpressionError for a value that does not fit the type of the operand
 */
export function valueTerm(
  operand: Operand,
  value: LuceneValue,
  position: number | undefined,
  name: string,
): Condition {
  const list = listOf(operand);
  if (list) {
    return listTerm(list, value, position, name);
  }
  if (value.kind === 'word' && value.parts.length > 1 && value.parts.every((part) => part === '')) {
    return { kind: 'exists', operand };
  }
  switch (value.kind) {
    case 'phrase':
      return exact(operand, value.text, position, name);
    case 'word':
      return word(operand, value.parts, position, name);
    case 'compare':
      return {
        kind: 'compare',
        operand,
        operator: value.operator,
        bound: bound(operand.type, value.bound, position, name),
      };
    case 'range':
      return range(operand, value, position, name);
  }
}

/** Tests each element of an array, and each value of a map without a key. */
function listOf({
  expression,
  type,
}: Operand): { list: Expression; element: ValueType } | undefined {
  if (type.base === 'array') {
    return { list: expression, element: type.element ?? stringType };
  }
  if (type.base === 'map') {
    return {
      list: { kind: 'call', name: 'mapValues', args: [expression] },
      element: type.element ?? stringType,
    };
  }
  return undefined;
}

function listTerm(
  { list, element }: { list: Expression; element: ValueType },
  value: LuceneValue,
  position: number | undefined,
  name: string,
): Condition {
  if (value.kind === 'word' && value.parts.length > 1 && value.parts.every((part) => part === '')) {
    return { kind: 'expression', expression: { kind: 'call', name: 'notEmpty', args: [list] } };
  }
  if (element.base === 'array' || element.base === 'map') {
    throw new ExpressionError(
      `"${name}" holds lists of lists, which a condition cannot search`,
      position,
    );
  }
  return {
    kind: 'any',
    list,
    inner: valueTerm(
      { expression: { kind: 'parameter', name: 'element' }, type: element },
      value,
      position,
      name,
    ),
  };
}

/** Whether values of the type are compared as text. */
export const isTextual = (type: ValueType): boolean =>
  ['string', 'other', 'unknown'].includes(type.base);

function exact(
  operand: Operand,
  text: string,
  position: number | undefined,
  name: string,
): Condition {
  if (isTextual(operand.type)) {
    return { kind: 'equals', operand, value: text };
  }
  return {
    kind: 'equals',
    operand,
    value:
      operand.type.base === 'boolean'
        ? truth(text, position, name)
        : bound(operand.type, text, position, name),
  };
}

function word(
  operand: Operand,
  parts: string[],
  position: number | undefined,
  name: string,
): Condition {
  if (isTextual(operand.type)) {
    return { kind: 'pattern', operand, parts: parts.length === 1 ? ['', ...parts, ''] : parts };
  }
  const [text = '', ...others] = parts;
  if (others.length > 0) {
    throw new ExpressionError(
      `"${name}" is not text, so its value cannot contain a star`,
      position,
    );
  }
  return exact(operand, text, position, name);
}

function range(
  operand: Operand,
  value: Extract<LuceneValue, { kind: 'range' }>,
  position: number | undefined,
  name: string,
): Condition {
  const low: Condition =
    value.from === undefined
      ? all
      : {
          kind: 'compare',
          operand,
          operator: value.includeFrom ? '>=' : '>',
          bound: bound(operand.type, value.from, position, name),
        };
  const high: Condition =
    value.to === undefined
      ? all
      : {
          kind: 'compare',
          operand,
          operator: value.includeTo ? '<=' : '<',
          bound: bound(operand.type, value.to, position, name),
        };
  const both = joined('and', [low, high]);
  return both.kind === 'all' ? { kind: 'exists', operand } : both;
}

function truth(text: string, position: number | undefined, name: string): boolean {
  const word = text.toLowerCase();
  if (word === 'true' || word === '1') {
    return true;
  }
  if (word === 'false' || word === '0') {
    return false;
  }
  throw new ExpressionError(`"${name}" is true or false; "${shown(text)}" is neither`, position);
}

function bound(type: ValueType, text: string, offset: number | undefined, name: string): Literal {
  const literal = type.base === 'time' ? timeLiteral(text) : numberLiteral(text);
  if (!literal) {
    throw new ExpressionError(
      type.base === 'time'
        ? `"${name}" is a time; "${shown(text)}" is neither an ISO 8601 time nor milliseconds since 1970`
        : `"${name}" is compared with numbers; "${shown(text)}" is not a number`,
      offset,
    );
  }
  return literal;
}

const shown = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
