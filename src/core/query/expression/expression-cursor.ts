import { depthMax, ExpressionError, termsMax } from '../fields/expression-error.ts';
import type { Fields } from '../fields/fields.ts';
import type { Expression } from './expression.ts';
import { TokenCursor } from './token-cursor.ts';
import type { Token } from './tokens.ts';

/**
 * A cursor over an expression, with the allowed names, the depth and the number of parts so far.
 */
export abstract class ExpressionCursor extends TokenCursor {
  protected readonly fields: Fields;
  private depth = 0;
  private nodes = 0;

  constructor(tokens: Token[], fields: Fields) {
    super(tokens);
    this.fields = fields;
  }

  /** Parses a whole expression at the cursor. */
  abstract expression(): Expression;

  protected deeper(read: () => Expression): Expression {
    if (++this.depth > depthMax) {
      throw new ExpressionError(
        `an expression may be nested at most ${depthMax} deep`,
        this.token.position,
      );
    }
    const expression = read();
    this.depth--;
    return expression;
  }

  protected made(expression: Expression): Expression {
    if (++this.nodes > termsMax * 4) {
      throw new ExpressionError(
        `an expression may have at most ${termsMax * 4} parts`,
        this.token.position,
      );
    }
    return expression;
  }

  protected name(): string {
    const { kind, text } = this.token;
    if (kind !== 'word' && kind !== 'quoted_name') {
      throw this.unexpected('a name');
    }
    this.index++;
    return text;
  }
}
