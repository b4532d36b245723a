import { ExpressionError } from '../expression-error.ts';
import type { Token } from './tokens.ts';

/** A place in a list of tokens, and the small questions a parser asks there. */
export class TokenCursor {
  protected readonly tokens: Token[];
  protected index = 0;

  constructor(tokens: Token[]) {
    this.tokens = tokens;
  }

  get token(): Token {
    return this.tokens[this.index]!;
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

  /** What stands between here and `close`, divided by commas. */
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

  /** What to throw when the current token cannot stand here. */
  unexpected(wanted?: string): ExpressionError {
    const { kind, text, at } = this.token;
    const found = kind === 'end' ? 'the expression ends' : `"${text.slice(0, 40)}" is not expected`;
    return new ExpressionError(
      wanted === undefined ? `${found} here` : `${found} where ${wanted} is needed`,
      at,
    );
  }

  protected isSign(text: string): boolean {
    return this.token.kind === 'sign' && this.token.text === text;
  }

  protected nextIs(sign: string): boolean {
    const next = this.tokens[this.index + 1];
    return next?.kind === 'sign' && next.text === sign;
  }

  /** Keywords are matched without regard to case. */
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
