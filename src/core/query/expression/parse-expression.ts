import { refuseCostly } from '../cost/expression-cost.ts';
import { ExpressionError } from '../fields/expression-error.ts';
import type { Fields } from '../fields/fields.ts';
import type { BinaryOperator, Expression } from './expression.ts';
import { tokenize } from './tokens.ts';
import { ValueParser } from './value-parser.ts';

/** One expression of a comma-separated list, as `select` and `orderBy` have it. */
export interface ListItem {
  expression: Expression;
  alias: string | undefined;
  descending: boolean | undefined;
  /** Position in the text, from 0. */
  from: number;
  to: number;
}

/**
 * Parses a text into a checked tree. Operator precedence is ClickHouse's. The time is linear in the
 * length, and the depth is limited.
 * @throws ExpressionError for anything that is not an allowed expression over these fields, or that
 * costs too much.
 */
export function parseExpression(text: string, fields: Fields): Expression {
  const parser = new ExpressionParser(tokenize(text), fields);
  const expression = parser.expression();
  parser.end();
  refuseCostly(expression);
  return expression;
}

/** `a, b AS c` (select) or `a DESC, b` (orderBy). */
export function parseList(text: string, fields: Fields, kind: 'select' | 'order'): ListItem[] {
  const parser = new ExpressionParser(tokenize(text), fields);
  const items = [parser.listItem(kind)];
  while (parser.takeSign(',')) {
    items.push(parser.listItem(kind));
  }
  parser.end();
  for (const { expression } of items) {
    refuseCostly(expression);
  }
  return items;
}

/** Precedence of the operators. A higher number binds tighter. */
const comparison = 4;
const addition = 6;
const operators: Record<string, { level: number; operator: BinaryOperator }> = {
  OR: { level: 1, operator: 'OR' },
  AND: { level: 2, operator: 'AND' },
  '=': { level: comparison, operator: '=' },
  '==': { level: comparison, operator: '=' },
  '!=': { level: comparison, operator: '!=' },
  '<>': { level: comparison, operator: '!=' },
  '<': { level: comparison, operator: '<' },
  '<=': { level: comparison, operator: '<=' },
  '>': { level: comparison, operator: '>' },
  '>=': { level: comparison, operator: '>=' },
  LIKE: { level: comparison, operator: 'LIKE' },
  ILIKE: { level: comparison, operator: 'ILIKE' },
  REGEXP: { level: comparison, operator: 'REGEXP' },
  '||': { level: 5, operator: '||' },
  '+': { level: addition, operator: '+' },
  '-': { level: addition, operator: '-' },
  '*': { level: 7, operator: '*' },
  '/': { level: 7, operator: '/' },
  '%': { level: 7, operator: '%' },
  DIV: { level: 7, operator: 'DIV' },
  MOD: { level: 7, operator: 'MOD' },
};
const unaryLevel = 8;

/** Parses operators, `NOT`, comparisons and lists after `IN`. */
class ExpressionParser extends ValueParser {
  expression(): Expression {
    return this.deeper(() => {
      const condition = this.binary(1);
      return this.takeSign('?') ? this.ternary(condition) : condition;
    });
  }

  listItem(kind: 'select' | 'order'): ListItem {
    const from = this.token.position;
    const expression = this.expression();
    const to = this.token.position;
    const alias = kind === 'select' && this.takeWord('AS') ? this.name() : undefined;
    const descending = kind === 'order' ? this.direction() : undefined;
    return { expression, alias, descending, from, to };
  }

  protected sum(): Expression {
    return this.binary(addition);
  }

  private direction(): boolean {
    if (this.takeWord('DESC')) {
      return true;
    }
    this.takeWord('ASC');
    return false;
  }

  private ternary(condition: Expression): Expression {
    const then = this.expression();
    this.needSign(':');
    return this.made({ kind: 'call', name: 'if', args: [condition, then, this.expression()] });
  }

  private binary(level: number): Expression {
    let left = this.operand(level);
    for (;;) {
      const next = level === comparison ? this.comparisonTail(left) : undefined;
      if (next) {
        left = next;
        continue;
      }
      const operator = this.operatorAt(level);
      if (!operator) {
        return left;
      }
      this.index++;
      left = this.made({ kind: 'binary', operator, left, right: this.binary(level + 1) });
    }
  }

  /** Parses an operand of the operators of one precedence. */
  private operand(level: number): Expression {
    if (level === 3) {
      return this.not();
    }
    return level >= unaryLevel ? this.unary() : this.binary(level + 1);
  }

  private operatorAt(level: number): BinaryOperator | undefined {
    const { kind, text } = this.token;
    if (kind !== 'sign' && kind !== 'word') {
      return undefined;
    }
    const key = text.toUpperCase();
    const entry = Object.hasOwn(operators, key) ? operators[key] : undefined;
    return entry?.level === level ? entry.operator : undefined;
  }

  /** Counts repeated NOT instead of nesting them. */
  private not(): Expression {
    let negations = 0;
    while (this.takeWord('NOT')) {
      negations++;
    }
    const operand = this.binary(comparison);
    if (negations === 0) {
      return operand;
    }
    const once: Expression = this.made({ kind: 'not', operand });
    return negations % 2 === 1 ? once : this.made({ kind: 'not', operand: once });
  }

  /** Parses the forms that follow a value: IS NULL, BETWEEN, IN, NOT LIKE. */
  private comparisonTail(operand: Expression): Expression | undefined {
    if (this.takeWord('IS')) {
      const negated = this.takeWord('NOT');
      this.needWord('NULL');
      return this.made({ kind: negated ? 'is_not_null' : 'is_null', operand });
    }
    const negated = this.takeWord('NOT');
    if (this.takeWord('BETWEEN')) {
      const low = this.binary(5);
      this.needWord('AND');
      return this.made({ kind: 'between', negated, operand, low, high: this.binary(5) });
    }
    if (this.takeWord('IN')) {
      return this.made({ kind: 'in', negated, operand, list: this.inList() });
    }
    if (!negated) {
      return undefined;
    }
    if (this.takeWord('LIKE')) {
      return this.made({
        kind: 'binary',
        operator: 'NOT LIKE',
        left: operand,
        right: this.binary(5),
      });
    }
    if (this.takeWord('ILIKE')) {
      return this.made({
        kind: 'binary',
        operator: 'NOT ILIKE',
        left: operand,
        right: this.binary(5),
      });
    }
    throw this.unexpected('BETWEEN, IN, LIKE or ILIKE');
  }

  /** Accepts only literals, because the engine would read a name here as a table. */
  private inList(): Expression[] {
    const square = this.takeSign('[');
    if (!square && !this.takeSign('(')) {
      throw this.unexpected('a list of values in parentheses');
    }
    const list = this.items(square ? ']' : ')', () => this.literal());
    if (list.length === 0) {
      throw new ExpressionError('the list after IN is empty', this.token.position);
    }
    return list;
  }

  private literal(): Expression {
    const { position } = this.token;
    if (this.takeSign('(')) {
      return this.deeper(() =>
        this.made({ kind: 'tuple', items: this.items(')', () => this.literal()) }),
      );
    }
    const minus = this.takeSign('-');
    const value = this.constant();
    if (!value || (minus && value.kind !== 'number')) {
      throw new ExpressionError('only literal values may stand in a list after IN', position);
    }
    return minus ? this.made({ kind: 'minus', operand: value }) : value;
  }
}
