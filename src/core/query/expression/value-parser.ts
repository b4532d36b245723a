import { ExpressionError } from '../fields/expression-error.ts';
import { readCastType } from './cast-type.ts';
import type { Expression } from './expression.ts';
import { NameParser } from './name-parser.ts';
import { TokenCursor } from './token-cursor.ts';
import { tokenize } from './tokens.ts';

const units = new Set(['SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR']);

/**
 * Parses one value: a literal, a name, an expression in brackets or a special form such as CASE,
 * with its signs and its element accesses.
 */
export abstract class ValueParser extends NameParser {
  /** Parses the amount of `INTERVAL`: a sum without comparisons. */
  protected abstract sum(): Expression;

  protected unary(): Expression {
    let minus = 0;
    for (;;) {
      if (this.takeSign('-')) {
        minus++;
      } else if (!this.takeSign('+')) {
        break;
      }
    }
    const operand = this.postfix(this.primary());
    if (minus === 0) {
      return operand;
    }
    const once: Expression = this.made({ kind: 'minus', operand });
    return minus % 2 === 1 ? once : this.made({ kind: 'minus', operand: once });
  }

  protected constant(): Expression | undefined {
    const { kind, text } = this.token;
    if (kind === 'number' || kind === 'string') {
      this.index++;
      return this.made(
        kind === 'number' ? { kind: 'number', text } : { kind: 'string', value: text },
      );
    }
    if (kind !== 'word' || this.nextIs('(') || this.nextIs('.')) {
      return undefined;
    }
    if (this.takeWord('NULL')) {
      return this.made({ kind: 'null' });
    }
    if (this.takeWord('TRUE')) {
      return this.made({ kind: 'boolean', value: true });
    }
    return this.takeWord('FALSE') ? this.made({ kind: 'boolean', value: false }) : undefined;
  }

  private postfix(start: Expression): Expression {
    let operand = start;
    for (;;) {
      if (this.takeSign('[')) {
        operand = this.made({ kind: 'element', operand, index: this.expression() });
        this.needSign(']');
      } else if (this.takeSign('::')) {
        operand = this.made({ kind: 'cast', operand, type: readCastType(this) });
      } else if (this.takeSign('.')) {
        operand = this.made({ kind: 'member', operand, index: this.memberIndex() });
      } else {
        return operand;
      }
    }
  }

  private memberIndex(): number {
    const { kind, text } = this.token;
    if (kind !== 'number' || !/^[1-9]\d?$/.test(text)) {
      throw this.unexpected('the place of a tuple element, such as .1');
    }
    this.index++;
    return Number(text);
  }

  private primary(): Expression {
    const constant = this.constant();
    if (constant) {
      return constant;
    }
    if (this.takeSign('(')) {
      return this.parenthesis();
    }
    if (this.takeSign('[')) {
      return this.made({ kind: 'array', items: this.items(']', () => this.expression()) });
    }
    const { kind } = this.token;
    if (kind === 'quoted_name') {
      return this.column();
    }
    if (kind !== 'word') {
      throw this.unexpected('a value');
    }
    if (this.takeWord('CASE')) {
      return this.caseOf();
    }
    if (this.isWord('CAST') && this.nextIs('(')) {
      return this.cast();
    }
    if (this.isWord('INTERVAL') && !this.nextIs('.')) {
      return this.interval();
    }
    return this.nextIs('(') ? this.call() : this.column();
  }

  private parenthesis(): Expression {
    if (this.isWord('SELECT') || this.isWord('WITH')) {
      throw new ExpressionError('a subquery is not allowed in an expression', this.token.position);
    }
    const items = this.items(')', () => this.expression());
    const [first, ...others] = items;
    if (!first) {
      throw this.unexpected('a value');
    }
    return others.length === 0 ? first : this.made({ kind: 'tuple', items });
  }

  private caseOf(): Expression {
    const operand = this.isWord('WHEN') ? undefined : this.expression();
    const branches: { when: Expression; gives: Expression }[] = [];
    while (this.takeWord('WHEN')) {
      const when = this.expression();
      this.needWord('THEN');
      branches.push({ when, gives: this.expression() });
    }
    if (branches.length === 0) {
      throw this.unexpected('WHEN');
    }
    const otherwise = this.takeWord('ELSE') ? this.expression() : undefined;
    this.needWord('END');
    return this.made({ kind: 'case', operand, branches, otherwise });
  }

  private cast(): Expression {
    this.index += 2;
    const operand = this.expression();
    if (!this.takeWord('AS')) {
      this.needSign(',');
      const { kind, text, position } = this.token;
      if (kind !== 'string') {
        throw this.unexpected('a type in quotes');
      }
      this.index++;
      this.needSign(')');
      return this.made({ kind: 'cast', operand, type: castTypeOf(text, position) });
    }
    const type = readCastType(this);
    this.needSign(')');
    return this.made({ kind: 'cast', operand, type });
  }

  private interval(): Expression {
    this.index++;
    const amount = this.deeper(() => this.sum());
    const unit = this.token.text.toUpperCase().replace(/S$/, '');
    if (this.token.kind !== 'word' || !units.has(unit)) {
      throw this.unexpected('a unit such as MINUTE');
    }
    this.index++;
    return this.made({ kind: 'interval', amount, unit });
  }
}

function castTypeOf(text: string, position: number): string {
  try {
    const cursor = new TokenCursor(tokenize(text));
    const type = readCastType(cursor);
    cursor.end();
    return type;
  } catch (error) {
    throw error instanceof ExpressionError ? new ExpressionError(error.message, position) : error;
  }
}
