import { depthMax, ExpressionError, termsMax, textMax } from '../fields/expression-error.ts';
import type { FieldName, LuceneTree, LuceneValue } from './lucene-tree.ts';

/**
 * Parses a condition with one character of lookahead and no backtracking, so the time is linear in
 * the length of any text (docs/adr/0004-where-language.md). An empty text matches all rows.
 * @throws ExpressionError with the position of the mistake
 */
export function parseLucene(text: string): LuceneTree {
  if (text.length > textMax) {
    throw new ExpressionError(`a condition may have at most ${textMax} characters`);
  }
  const parser = new LuceneParser(text);
  return parser.whole();
}

const space = /\s/;

/**
 * A cursor over one text. Every method skips blanks, reads, and leaves `position` after the last
 * character that it read.
 */
class LuceneParser {
  private readonly text: string;
  private position = 0;
  private depth = 0;
  private terms = 0;

  constructor(text: string) {
    this.text = text;
  }

  whole(): LuceneTree {
    this.skipSpace();
    if (this.done()) {
      return { kind: 'all' };
    }
    const tree = this.or(undefined);
    if (!this.done()) {
      throw new ExpressionError('a closing parenthesis without an opening one', this.position);
    }
    return tree;
  }

  private or(field: FieldName | undefined): LuceneTree {
    const first = this.and(field);
    const parts = [first];
    while (this.takeOperator('OR', '||')) {
      parts.push(this.and(field));
    }
    return parts.length === 1 ? first : { kind: 'or', parts };
  }

  private and(field: FieldName | undefined): LuceneTree {
    const first = this.not(field);
    const parts = [first];
    for (;;) {
      if (this.takeOperator('AND', '&&')) {
        parts.push(this.not(field));
      } else if (this.done() || this.peek() === ')' || this.sees('OR', '||')) {
        return parts.length === 1 ? first : { kind: 'and', parts };
      } else {
        parts.push(this.not(field));
      }
    }
  }

  private not(field: FieldName | undefined): LuceneTree {
    let negations = 0;
    for (;;) {
      if (this.takeOperator('NOT')) {
        negations++;
      } else if (this.peek() === '-' && !this.blankAt(this.position + 1)) {
        this.position++;
        negations++;
      } else {
        break;
      }
    }
    const tree = this.primary(field);
    return negations % 2 === 1 ? { kind: 'not', inner: tree } : tree;
  }

  private primary(field: FieldName | undefined): LuceneTree {
    this.skipSpace();
    if (this.done()) {
      throw new ExpressionError('the condition ends where a term is expected', this.position);
    }
    const operator = ['AND', 'OR', '&&', '||'].find((word) => this.sees(word));
    if (operator !== undefined) {
      throw new ExpressionError(
        `${operator} needs a term before it; to search the word itself, quote it`,
        this.position,
      );
    }
    if (this.peek() === ')') {
      throw new ExpressionError('a term is expected before the closing parenthesis', this.position);
    }
    return this.peek() === '(' ? this.group(field) : this.term(field);
  }

  private group(field: FieldName | undefined): LuceneTree {
    const open = this.position;
    if (++this.depth > depthMax) {
      throw new ExpressionError(`parentheses may be nested at most ${depthMax} deep`, open);
    }
    this.position++;
    const tree = this.or(field);
    this.skipSpace();
    if (this.peek() !== ')') {
      throw new ExpressionError('this parenthesis is not closed', open);
    }
    this.position++;
    this.depth--;
    this.skipSpace();
    return tree;
  }

  private term(field: FieldName | undefined): LuceneTree {
    if (++this.terms > termsMax) {
      throw new ExpressionError(`a condition may have at most ${termsMax} terms`, this.position);
    }
    const position = this.position;
    if (this.peek() === '"') {
      return this.finish({
        kind: 'term',
        field,
        value: { kind: 'phrase', text: this.quoted() },
        position,
      });
    }
    if (field !== undefined) {
      return this.finish({ kind: 'term', field, value: this.valueOf(field), position });
    }
    const parts = this.word(':');
    if (this.peek() !== ':') {
      return this.finish({ kind: 'term', field, value: { kind: 'word', parts }, position });
    }
    const path = parts.join('*');
    if (path === '') {
      throw new ExpressionError(
        'a field name is expected before the colon; to search a colon, quote it',
        position,
      );
    }
    this.position++;
    if (this.done() || this.blankAt(this.position) || this.peek() === ')') {
      throw new ExpressionError(`a value is expected after "${path}:"`, this.position);
    }
    return this.fieldTerm({ path, position });
  }

  private fieldTerm(field: FieldName): LuceneTree {
    if (this.peek() === '(') {
      return this.group(field);
    }
    const position = this.position;
    const value: LuceneValue =
      this.peek() === '"' ? { kind: 'phrase', text: this.quoted() } : this.valueOf(field);
    return this.finish({ kind: 'term', field, value, position });
  }

  private valueOf(field: FieldName): LuceneValue {
    const first = this.peek();
    if (first === '[' || first === '{') {
      return this.range(first === '[');
    }
    if (first === '>' || first === '<') {
      return this.comparison(field, first);
    }
    return { kind: 'word', parts: this.word('') };
  }

  private comparison(field: FieldName, sign: '>' | '<'): LuceneValue {
    this.position++;
    const equal = this.peek() === '=';
    if (equal) {
      this.position++;
    }
    this.skipSpace();
    const position = this.position;
    const bound = this.peek() === '"' ? this.quoted() : this.word('').join('*');
    if (bound === '') {
      throw new ExpressionError(
        `a value is expected after "${field.path}:${sign}${equal ? '=' : ''}"`,
        position,
      );
    }
    return { kind: 'compare', operator: equal ? `${sign}=` : sign, bound };
  }

  private range(includeFrom: boolean): LuceneValue {
    const open = this.position++;
    const from = this.bound(open);
    this.skipSpace();
    if (!this.takeOperator('TO')) {
      throw new ExpressionError('a range is written [from TO to] or {from TO to}', open);
    }
    const to = this.bound(open);
    this.skipSpace();
    const close = this.peek();
    if (close !== ']' && close !== '}') {
      throw new ExpressionError('this range is not closed', open);
    }
    this.position++;
    return { kind: 'range', from, to, includeFrom, includeTo: close === ']' };
  }

  private bound(open: number): string | undefined {
    this.skipSpace();
    if (this.done() || ')(]}'.includes(this.peek() ?? '')) {
      throw new ExpressionError('a range is written [from TO to] or {from TO to}', open);
    }
    if (this.peek() === '"') {
      return this.quoted();
    }
    const bound = this.word(']}').join('*');
    return bound === '*' ? undefined : bound;
  }

  /**
   * Reads up to a blank, a parenthesis, a quote or one of `stops`. A backslash makes the next
   * character literal.
   */
  private word(stops: string): string[] {
    const parts = [''];
    const start = this.position;
    for (; !this.done(); this.position++) {
      const char = this.text.charAt(this.position);
      if (char === '\\') {
        parts[parts.length - 1] += this.escaped();
      } else if (char === '*') {
        parts.push('');
      } else if (
        char === '(' ||
        char === ')' ||
        char === '"' ||
        stops.includes(char) ||
        space.test(char)
      ) {
        break;
      } else {
        parts[parts.length - 1] += char;
      }
    }
    if (this.position === start && this.peek() !== ':') {
      throw new ExpressionError(
        this.done()
          ? 'the condition ends where a value is expected'
          : `"${this.peek()}" is not expected here`,
        this.position,
      );
    }
    return collapse(parts);
  }

  private quoted(): string {
    const open = this.position++;
    let value = '';
    for (; !this.done(); this.position++) {
      const char = this.text.charAt(this.position);
      if (char === '"') {
        this.position++;
        return value;
      }
      value += char === '\\' ? this.escaped() : char;
    }
    throw new ExpressionError('this quote is not closed', open);
  }

  private escaped(): string {
    this.position++;
    if (this.done()) {
      throw new ExpressionError('a backslash needs a character after it', this.position - 1);
    }
    return this.text.charAt(this.position);
  }

  private finish(tree: LuceneTree): LuceneTree {
    this.skipSpace();
    return tree;
  }

  /** Operators are whole words in capitals: `ORDER` and `or` are search words. */
  private takeOperator(word: string, sign?: string): boolean {
    this.skipSpace();
    if (sign !== undefined && this.text.startsWith(sign, this.position)) {
      this.position += sign.length;
    } else if (this.seesWord(word)) {
      this.position += word.length;
    } else {
      return false;
    }
    this.skipSpace();
    return true;
  }

  private sees(word: string, sign?: string): boolean {
    this.skipSpace();
    return this.seesWord(word) || (sign !== undefined && this.text.startsWith(sign, this.position));
  }

  private seesWord(word: string): boolean {
    if (!this.text.startsWith(word, this.position)) {
      return false;
    }
    const next = this.position + word.length;
    return (
      this.blankAt(next) ||
      !/[A-Za-z]/.test(word) ||
      this.text[next] === '(' ||
      this.text[next] === ')'
    );
  }

  private skipSpace(): void {
    while (this.position < this.text.length && space.test(this.text.charAt(this.position))) {
      this.position++;
    }
  }

  private blankAt(index: number): boolean {
    return index >= this.text.length || space.test(this.text.charAt(index));
  }

  private peek(): string | undefined {
    return this.text[this.position];
  }

  private done(): boolean {
    return this.position >= this.text.length;
  }
}

/** Merges adjacent stars into one. */
function collapse(parts: string[]): string[] {
  return parts.filter((part, index) => part !== '' || index === 0 || index === parts.length - 1);
}
