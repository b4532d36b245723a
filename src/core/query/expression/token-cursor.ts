import { ExpressionError } from '../fields/expression-error.ts';
import type { Token } from './tokens.ts';

/** A cursor over a list of tokens. The last token has the kind `end`. */
export class TokenCursor {
  protected readonly tokens: Token[];
  protected index = 0;

  constructor(tokens: Token[]) {
    this.tokens = tokens;
  }

  get token(): Token {
    return this.tokens[this.index] ?? { kind: 'end', text: '', position: 0 };
  }

  advance(): void {
    this.index++;
  }

  /** @throws ExpressionError unless everything has been read. */
  end(): void {
    if (this.token.kind !== 'end') {
      throw this.unexpected();
    }
  }

  takeSign(text: string): boolean {
    if (!this.isSign(text)) {
      return false;
    }
    this.index++;
    return true;
  }

  takeWord(word: string): boolean {
    if (!this.isWord(word)) {
      return false;
    }
    this.index++;
    return true;
  }

  /** Parses a comma-separated list up to `close`. */
  items<T>(close: string, item: () => T): T[] {
    const list: T[] = [];
    if (this.takeSign(close)) {
      return list;
    }
    do {
      list.push(item());
    } while (this.takeSign(','));
    this.needSign(close);
    return list;
  }

  /** The error for an unexpected token. */
  unexpected(wanted?: string): ExpressionError {
    const { kind, text, position } = this.token;
    const problem =
      kind === 'end' ? 'the expression ends' : `"${text.slice(0, 40)}" is not expected`;
    return new ExpressionError(
      wanted === undefined ? `${problem} here` : `${problem} where ${wanted} is needed`,
      position,
    );
  }

  protected isSign(text: string): boolean {
    return this.token.kind === 'sign' && this.token.text === text;
  }

  protected nextIs(sign: string): boolean {
    const next = this.tokens[this.index + 1];
    return next?.kind === 'sign' && next.text === sign;
  }

  /** Keywords are case-insensitive. */
  protected isWord(word: string): boolean {
    return this.token.kind === 'word' && this.token.text.toUpperCase() === word;
  }

  protected needWord(word: string): void {
    if (!this.takeWord(word)) {
      throw this.unexpected(word);
    }
  }

  protected needSign(sign: string): void {
    if (!this.takeSign(sign)) {
      throw this.unexpected(`"${sign}"`);
    }
  }
}
