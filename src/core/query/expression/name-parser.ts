import { ExpressionError } from '../fields/expression-error.ts';
import { ExpressionCursor } from './expression-cursor.ts';
import type { Expression } from './expression.ts';
import { allowedFunctions, lambdaFunctions } from './functions.ts';
import { reserved } from './reserved-words.ts';

/** Parses everything that begins with a name: columns, functions, lambdas and their parameters. */
export abstract class NameParser extends ExpressionCursor {
  /** Names bound by the lambdas around the current place, innermost last. */
  private readonly bound: string[] = [];

  protected call(): Expression {
    const { text, position } = this.token;
    const knownFunction = allowedFunctions().get(text.toLowerCase());
    if (!knownFunction) {
      throw new ExpressionError(
        reserved.has(text.toUpperCase())
          ? `${text.toUpperCase()} is not allowed in an expression`
          : `the function "${text.slice(0, 64)}" is not allowed in an expression`,
        position,
      );
    }
    this.index += 2;
    const takesLambda = lambdaFunctions.has(knownFunction.name);
    let first = true;
    const args = this.items(')', () => {
      const lambda = first && takesLambda ? this.lambda() : undefined;
      first = false;
      return lambda ?? this.expression();
    });
    if (this.isSign('(')) {
      throw this.unexpected();
    }
    return this.made({ kind: 'call', name: knownFunction.name, args });
  }

  /**
   * A name with dots: a lambda's parameter, a column, a key of a map column, or a tuple column's
   * element.
   */
  protected column(): Expression {
    const { position, kind, text } = this.token;
    if (kind === 'word' && reserved.has(text.toUpperCase())) {
      throw this.unexpected('a value');
    }
    const first = this.name();
    if (kind === 'word' && this.bound.includes(first)) {
      return this.made({ kind: 'parameter', name: first });
    }
    let path = first;
    while (
      this.isSign('.') &&
      ['word', 'quoted_name'].includes(this.tokens[this.index + 1]?.kind ?? 'end')
    ) {
      this.index++;
      path += `.${this.token.text}`;
      this.index++;
    }
    return this.made({ kind: 'field', field: this.fields.resolve(path, position) });
  }

  /** Parses `x -> …` or `(x, y) -> …`. Undefined if there is no lambda at the cursor. */
  private lambda(): Expression | undefined {
    const arrow = this.arrowAfterParameters();
    if (arrow === undefined) {
      return undefined;
    }
    const parameters = this.tokens
      .slice(this.index, arrow)
      .filter((token) => token.kind === 'word')
      .map((token) => token.text);
    this.index = arrow + 1;
    this.bound.push(...parameters);
    const body = this.expression();
    this.bound.length -= parameters.length;
    return this.made({ kind: 'lambda', parameters, body });
  }

  private arrowAfterParameters(): number | undefined {
    const is = (index: number, sign: string): boolean =>
      this.tokens[index]?.kind === 'sign' && this.tokens[index].text === sign;
    const plain = (index: number): boolean =>
      this.tokens[index]?.kind === 'word' && !reserved.has(this.tokens[index].text.toUpperCase());
    if (plain(this.index) && is(this.index + 1, '->')) {
      return this.index + 1;
    }
    if (!is(this.index, '(')) {
      return undefined;
    }
    for (let index = this.index + 1, count = 1; count <= 4 && plain(index); index += 2, count++) {
      if (is(index + 1, ')')) {
        return is(index + 2, '->') ? index + 2 : undefined;
      }
      if (!is(index + 1, ',')) {
        return undefined;
      }
    }
    return undefined;
  }
}
