import { depthMax, ExpressionError, termsMax } from '../expression-error.ts';
import type { Fields } from '../fields.ts';
import { readCastType } from './cast-type.ts';
import type { BinaryOperator, Expression } from './expression.ts';
import { allowedFunctions, lambdaFunctions } from './functions.ts';
import { TokenCursor } from './token-cursor.ts';
import { tokenize, type Token } from './tokens.ts';

/** One expression of a comma-separated list, as `select` and `orderBy` have it. */
export interface ListItem {
  expression: Expression;
  alias: string | undefined;
  descending: boolean | undefined;
  /** Where it stands in the text. */
  from: number;
  to: number;
}

/**
 * Text to a checked tree. Operator precedence is ClickHouse's; the time is linear in the length, the depth is capped.
 * @throws ExpressionError for anything that is not an allowed expression over these fields.
 */
export function parseExpression(text: string, fields: Fields): Expression {
  const parser = new ExpressionParser(tokenize(text), fields);
  const expression = parser.expression();
  parser.end();
  return expression;
}

/** `a, b AS c` (select) or `a DESC, b` (orderBy). */
export function parseList(text: string, fields: Fields, kind: 'select' | 'order'): ListItem[] {
  const parser = new ExpressionParser(tokenize(text), fields);
  const items = [parser.listItem(kind)];
  while (parser.takeSign(',')) items.push(parser.listItem(kind));
  parser.end();
  return items;
}

/** What binds how: higher binds tighter. */
const comparison = 4;
const operators: Record<string, { level: number; operator: BinaryOperator }> = {
  OR: { level: 1, operator: 'OR' }, AND: { level: 2, operator: 'AND' },
  '=': { level: comparison, operator: '=' }, '==': { level: comparison, operator: '=' }, '!=': { level: comparison, operator: '!=' }, '<>': { level: comparison, operator: '!=' },
  '<': { level: comparison, operator: '<' }, '<=': { level: comparison, operator: '<=' }, '>': { level: comparison, operator: '>' }, '>=': { level: comparison, operator: '>=' },
  LIKE: { level: comparison, operator: 'LIKE' }, ILIKE: { level: comparison, operator: 'ILIKE' }, REGEXP: { level: comparison, operator: 'REGEXP' },
  '||': { level: 5, operator: '||' }, '+': { level: 6, operator: '+' }, '-': { level: 6, operator: '-' },
  '*': { level: 7, operator: '*' }, '/': { level: 7, operator: '/' }, '%': { level: 7, operator: '%' }, DIV: { level: 7, operator: 'DIV' }, MOD: { level: 7, operator: 'MOD' },
};
const unaryLevel = 8;
const units = new Set(['SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR']);
/** Words that cannot be a column unless quoted: they begin or divide something. */
const reserved = new Set(['SELECT', 'FROM', 'WHERE', 'UNION', 'INTERSECT', 'EXCEPT', 'WITH', 'SETTINGS', 'FORMAT', 'INTO', 'JOIN', 'PREWHERE', 'HAVING', 'LIMIT', 'OFFSET', 'OVER', 'WINDOW', 'USING', 'DISTINCT', 'GLOBAL', 'ANY', 'EXISTS', 'GROUP', 'ORDER', 'BY',
  'AND', 'OR', 'NOT', 'IN', 'LIKE', 'ILIKE', 'REGEXP', 'BETWEEN', 'IS', 'CASE', 'WHEN', 'THEN', 'ELSE', 'END', 'AS', 'ASC', 'DESC', 'NULLS', 'INTERVAL', 'DIV', 'MOD']);

class ExpressionParser extends TokenCursor {
  private readonly fields: Fields;
  private depth = 0;
  private nodes = 0;
  /** Names bound by the lambdas around the current place, innermost last. */
  private readonly bound: string[] = [];

  constructor(tokens: Token[], fields: Fields) {
    super(tokens);
    this.fields = fields;
  }

  expression(): Expression {
    return this.deeper(() => {
      const condition = this.binary(1);
      return this.takeSign('?') ? this.ternary(condition) : condition;
    });
  }

  listItem(kind: 'select' | 'order'): ListItem {
    const from = this.token.at;
    const expression = this.expression();
    const to = this.token.at;
    const alias = kind === 'select' && this.takeWord('AS') ? this.name() : undefined;
    const descending = kind === 'order' ? this.direction() : undefined;
    return { expression, alias, descending, from, to };
  }

  private deeper(read: () => Expression): Expression {
    if (++this.depth > depthMax) throw new ExpressionError(`an expression may be nested at most ${depthMax} deep`, this.token.at);
    const expression = read();
    this.depth--;
    return expression;
  }

  private direction(): boolean {
    if (this.takeWord('DESC')) return true;
    this.takeWord('ASC');
    return false;
  }

  private ternary(condition: Expression): Expression {
    const then = this.expression();
    this.needSign(':');
    return this.made({ kind: 'call', name: 'if', of: [condition, then, this.expression()] });
  }

  private binary(level: number): Expression {
    let left = level === 3 ? this.not() : level >= unaryLevel ? this.unary() : this.binary(level + 1);
    for (;;) {
      const next = level === comparison ? this.comparisonTail(left) : undefined;
      if (next) {
        left = next;
        continue;
      }
      const found = this.operatorAt(level);
      if (!found) return left;
      this.index++;
      left = this.made({ kind: 'binary', operator: found, left, right: this.binary(level + 1) });
    }
  }

  private operatorAt(level: number): BinaryOperator | undefined {
    const { kind, text } = this.token;
    if (kind !== 'sign' && kind !== 'word') return undefined;
    const key = text.toUpperCase();
    const found = Object.hasOwn(operators, key) ? operators[key] : undefined;
    return found?.level === level ? found.operator : undefined;
  }

  /** Several NOT in a row are counted, not nested. */
  private not(): Expression {
    let negations = 0;
    while (this.takeWord('NOT')) negations++;
    const of = this.binary(comparison);
    if (negations === 0) return of;
    const once: Expression = this.made({ kind: 'not', of });
    return negations % 2 === 1 ? once : this.made({ kind: 'not', of: once });
  }

  /** What may follow a value besides an operator: IS NULL, BETWEEN, IN, NOT LIKE. */
  private comparisonTail(of: Expression): Expression | undefined {
    if (this.takeWord('IS')) {
      const negated = this.takeWord('NOT');
      this.needWord('NULL');
      return this.made({ kind: negated ? 'is_not_null' : 'is_null', of });
    }
    const negated = this.takeWord('NOT');
    if (this.takeWord('BETWEEN')) {
      const low = this.binary(5);
      this.needWord('AND');
      return this.made({ kind: 'between', negated, of, low, high: this.binary(5) });
    }
    if (this.takeWord('IN')) return this.made({ kind: 'in', negated, of, list: this.inList() });
    if (!negated) return undefined;
    if (this.takeWord('LIKE')) return this.made({ kind: 'binary', operator: 'NOT LIKE', left: of, right: this.binary(5) });
    if (this.takeWord('ILIKE')) return this.made({ kind: 'binary', operator: 'NOT ILIKE', left: of, right: this.binary(5) });
    throw this.unexpected('BETWEEN, IN, LIKE or ILIKE');
  }

  /** Literals only: a name here would be a table. */
  private inList(): Expression[] {
    const square = this.takeSign('[');
    if (!square && !this.takeSign('(')) throw this.unexpected('a list of values in parentheses');
    const list = this.items(square ? ']' : ')', () => this.literal());
    if (list.length === 0) throw new ExpressionError('the list after IN is empty', this.token.at);
    return list;
  }

  private literal(): Expression {
    const { at } = this.token;
    if (this.takeSign('(')) return this.deeper(() => this.made({ kind: 'tuple', of: this.items(')', () => this.literal()) }));
    const minus = this.takeSign('-');
    const value = this.constant();
    if (!value || (minus && value.kind !== 'number')) throw new ExpressionError('only literal values may stand in a list after IN', at);
    return minus ? this.made({ kind: 'minus', of: value }) : value;
  }

  private unary(): Expression {
    let minus = 0;
    for (;;) {
      if (this.takeSign('-')) minus++;
      else if (!this.takeSign('+')) break;
    }
    const of = this.postfix(this.primary());
    if (minus === 0) return of;
    const once: Expression = this.made({ kind: 'minus', of });
    return minus % 2 === 1 ? once : this.made({ kind: 'minus', of: once });
  }

  private postfix(start: Expression): Expression {
    let of = start;
    for (;;) {
      if (this.takeSign('[')) {
        of = this.made({ kind: 'element', of, index: this.expression() });
        this.needSign(']');
      } else if (this.takeSign('::')) of = this.made({ kind: 'cast', of, type: readCastType(this) });
      else if (this.takeSign('.')) of = this.made({ kind: 'member', of, index: this.memberIndex() });
      else return of;
    }
  }

  private memberIndex(): number {
    const { kind, text } = this.token;
    if (kind !== 'number' || !/^[1-9]\d?$/.test(text)) throw this.unexpected('the place of a tuple element, such as .1');
    this.index++;
    return Number(text);
  }

  private primary(): Expression {
    const constant = this.constant();
    if (constant) return constant;
    if (this.takeSign('(')) return this.parenthesis();
    if (this.takeSign('[')) return this.made({ kind: 'array', of: this.items(']', () => this.expression()) });
    const { kind } = this.token;
    if (kind === 'quoted_name') return this.column();
    if (kind !== 'word') throw this.unexpected('a value');
    if (this.takeWord('CASE')) return this.caseOf();
    if (this.isWord('CAST') && this.nextIs('(')) return this.cast();
    if (this.isWord('INTERVAL') && !this.nextIs('.')) return this.interval();
    return this.nextIs('(') ? this.call() : this.column();
  }

  private constant(): Expression | undefined {
    const { kind, text } = this.token;
    if (kind === 'number' || kind === 'string') {
      this.index++;
      return this.made(kind === 'number' ? { kind: 'number', text } : { kind: 'string', value: text });
    }
    if (kind !== 'word' || this.nextIs('(') || this.nextIs('.')) return undefined;
    if (this.takeWord('NULL')) return this.made({ kind: 'null' });
    if (this.takeWord('TRUE')) return this.made({ kind: 'boolean', value: true });
    return this.takeWord('FALSE') ? this.made({ kind: 'boolean', value: false }) : undefined;
  }

  private parenthesis(): Expression {
    if (this.isWord('SELECT') || this.isWord('WITH')) throw new ExpressionError('a subquery is not allowed in an expression', this.token.at);
    const of = this.items(')', () => this.expression());
    if (of.length === 0) throw this.unexpected('a value');
    return of.length === 1 ? of[0]! : this.made({ kind: 'tuple', of });
  }

  private caseOf(): Expression {
    const of = this.isWord('WHEN') ? undefined : this.expression();
    const branches: { when: Expression; gives: Expression }[] = [];
    while (this.takeWord('WHEN')) {
      const when = this.expression();
      this.needWord('THEN');
      branches.push({ when, gives: this.expression() });
    }
    if (branches.length === 0) throw this.unexpected('WHEN');
    const otherwise = this.takeWord('ELSE') ? this.expression() : undefined;
    this.needWord('END');
    return this.made({ kind: 'case', of, branches, otherwise });
  }

  private cast(): Expression {
    this.index += 2;
    const of = this.expression();
    if (!this.takeWord('AS')) {
      this.needSign(',');
      const { kind, text, at } = this.token;
      if (kind !== 'string') throw this.unexpected('a type in quotes');
      this.index++;
      this.needSign(')');
      return this.made({ kind: 'cast', of, type: castTypeOf(text, at, this.fields) });
    }
    const type = readCastType(this);
    this.needSign(')');
    return this.made({ kind: 'cast', of, type });
  }

  private interval(): Expression {
    this.index++;
    const amount = this.deeper(() => this.binary(6));
    const unit = this.token.text.toUpperCase().replace(/S$/, '');
    if (this.token.kind !== 'word' || !units.has(unit)) throw this.unexpected('a unit such as MINUTE');
    this.index++;
    return this.made({ kind: 'interval', amount, unit });
  }

  private call(): Expression {
    const { text, at } = this.token;
    const found = allowedFunctions().get(text.toLowerCase());
    if (!found) throw new ExpressionError(reserved.has(text.toUpperCase()) ? `${text.toUpperCase()} is not allowed in an expression` : `the function "${text.slice(0, 64)}" is not allowed in an expression`, at);
    this.index += 2;
    const takesLambda = lambdaFunctions.has(found.name);
    let first = true;
    const of = this.items(')', () => {
      const lambda = first && takesLambda ? this.lambda() : undefined;
      first = false;
      return lambda ?? this.expression();
    });
    if (this.isSign('(')) throw this.unexpected();
    return this.made({ kind: 'call', name: found.name, of });
  }

  /** `x -> …` or `(x, y) -> …`, where one stands here. */
  private lambda(): Expression | undefined {
    const arrow = this.arrowAfterParameters();
    if (arrow === undefined) return undefined;
    const parameters = this.tokens.slice(this.index, arrow).filter((token) => token.kind === 'word').map((token) => token.text);
    this.index = arrow + 1;
    this.bound.push(...parameters);
    const body = this.expression();
    this.bound.length -= parameters.length;
    return this.made({ kind: 'lambda', parameters, body });
  }

  private arrowAfterParameters(): number | undefined {
    const is = (index: number, sign: string): boolean => this.tokens[index]?.kind === 'sign' && this.tokens[index].text === sign;
    const plain = (index: number): boolean => this.tokens[index]?.kind === 'word' && !reserved.has(this.tokens[index].text.toUpperCase());
    if (plain(this.index) && is(this.index + 1, '->')) return this.index + 1;
    if (!is(this.index, '(')) return undefined;
    for (let index = this.index + 1, count = 1; count <= 4 && plain(index); index += 2, count++) {
      if (is(index + 1, ')')) return is(index + 2, '->') ? index + 2 : undefined;
      if (!is(index + 1, ',')) return undefined;
    }
    return undefined;
  }

  /** A name with dots: a lambda's parameter, a column, a key of a map column, or a tuple column's element. */
  private column(): Expression {
    const { at, kind, text } = this.token;
    if (kind === 'word' && reserved.has(text.toUpperCase())) throw this.unexpected('a value');
    const first = this.name();
    if (kind === 'word' && this.bound.includes(first)) return this.made({ kind: 'parameter', name: first });
    let path = first;
    while (this.isSign('.') && ['word', 'quoted_name'].includes(this.tokens[this.index + 1]?.kind ?? 'end')) {
      this.index++;
      path += `.${this.token.text}`;
      this.index++;
    }
    return this.made({ kind: 'field', field: this.fields.resolve(path, at) });
  }

  private name(): string {
    const { kind, text } = this.token;
    if (kind !== 'word' && kind !== 'quoted_name') throw this.unexpected('a name');
    this.index++;
    return text;
  }

  private made(expression: Expression): Expression {
    if (++this.nodes > termsMax * 4) throw new ExpressionError(`an expression may have at most ${termsMax * 4} parts`, this.token.at);
    return expression;
  }

}

function castTypeOf(text: string, at: number, fields: Fields): string {
  try {
    const parser = new ExpressionParser(tokenize(text), fields);
    const type = readCastType(parser);
    parser.end();
    return type;
  } catch (error) {
    throw error instanceof ExpressionError ? new ExpressionError(error.message, at) : error;
  }
}
