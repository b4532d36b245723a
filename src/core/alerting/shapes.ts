import {
  conjuncts,
  joined,
  type Condition,
  type Operand,
  type Reading,
  type Scan,
} from '../query/index.ts';
import type { Question } from './question.ts';
import type { SharedScan } from './shared-scan.ts';

/** A scan of logs or spans. */
export type RowScan = Extract<Scan, { kind: 'rows' }>;

/**
 * A condition with its literals taken out: alerts of one shape differ only in the values of their keys (and in one word), and are answered by
 * one GROUP BY. Alerts of one shape have the very same object.
 */
export interface Shape {
  /** Of the plan that it was taken from; the condition of its one reading is what is left without keys and word. */
  scan: RowScan;
  plan: Question['plan'];
  /** Whether it counts, so that no rows are 0 of them. */
  counts: boolean;
  /** What rows are told apart by; the groups of the alert itself come after them. */
  operands: readonly Operand[];
  /** Text in which a whole word is looked for; undefined: no such part. */
  wordOperand: Operand | undefined;
  /** The scans that were made last, by the length of their window: most ticks ask the same alerts again. */
  scans: Map<number, readonly SharedScan[]>;
}

/** A shape, and what one alert has in place of its literals. */
export interface Shaped {
  shape: Shape;
  /** Values of the shape's operands, as the engine writes them as text. */
  values: readonly string[];
  word: string | undefined;
}

/** A plan with one scan of rows and one reading; other plans are asked alone. */
export function simpleScan({ plan, value }: Question): RowScan | undefined {
  const [scan, ...others] = plan.scans;
  return scan?.kind === 'rows' &&
    others.length === 0 &&
    value === 'last' &&
    scan.readings.length === 1
    ? scan
    : undefined;
}

const numbersMax = 10_000;

/** The shapes that are in use. */
export class ShapeBook {
  readonly #shapes = new Map<string, WeakRef<Shape>>();
  #sweepAt = 1000;
  /** Equal parts have equal numbers; those of columns are the same objects again and again. */
  readonly #numbers = new WeakMap<object, number>();
  readonly #numbersByText = new Map<string, number>();
  #lastNumber = 0;

  /** The shape of a question; undefined where it has to be asked in another way. */
  shaped(question: Question): Shaped | undefined {
    const scan = simpleScan(question);
    if (!scan) {
      return undefined;
    }
    const reading = scan.readings[0]!;
    const keys: Equals[] = [];
    const rest: Condition[] = [];
    let word: Word | undefined;
    const counts = reading.aggregate.fn === 'count' && reading.aggregate.operand === undefined;
    for (const part of conjuncts(reading.condition)) {
      if (isKey(part)) {
        keys.push(part);
      } else if (counts && word === undefined && isWord(part)) {
        word = part;
      } else {
        rest.push(part);
      }
    }
    // The order in which somebody wrote the parts of an AND means nothing.
    if (keys.length > 1) {
      keys.sort((a, b) => this.#numberOf(a.operand) - this.#numberOf(b.operand));
    }
    const residual = joined('and', rest);
    const key = this.#keyOf(scan, reading, keys, word, residual);
    const shape =
      this.#shapes.get(key)?.deref() ??
      this.#add(
        key,
        shapeFrom(
          question,
          scan,
          reading,
          keys.map(({ operand }) => operand),
          word?.operand,
          residual,
        ),
      );
    return {
      shape,
      values: keys.map(({ value }) => String(value)),
      word: word?.text.toLowerCase(),
    };
  }

  #keyOf(
    scan: RowScan,
    { aggregate }: Reading,
    keys: readonly Equals[],
    word: Word | undefined,
    residual: Condition,
  ): string {
    let text = `${aggregate.fn} ${aggregate.level} ${this.#numberOf(aggregate.operand)} ${this.#numberOf(scan.time)} ${scan.rollup?.exactFromMs} ${this.#numberOf(word?.operand)}`;
    for (const { operand } of keys) {
      text += ` ${this.#numberOf(operand)}`;
    }
    text += ' by';
    for (const operand of scan.groups) {
      text += ` ${this.#numberOf(operand)}`;
    }
    return `${text} ${JSON.stringify([scan.table.database, scan.table.name])} ${inOrder(residual)}`;
  }

  #numberOf(part: object | undefined): number {
    if (part === undefined) {
      return -1;
    }
    const known = this.#numbers.get(part);
    if (known !== undefined) {
      return known;
    }
    const text = JSON.stringify(part);
    const number = this.#numbersByText.get(text) ?? ++this.#lastNumber;
    // What is forgotten gets another number: some alerts are then not asked together, and none is taken for another.
    if (this.#numbersByText.size >= numbersMax) {
      this.#numbersByText.clear();
    }
    this.#numbersByText.set(text, number);
    this.#numbers.set(part, number);
    return number;
  }

  #add(key: string, shape: Shape): Shape {
    this.#shapes.set(key, new WeakRef(shape));
    if (this.#shapes.size >= this.#sweepAt) {
      for (const [known, reference] of this.#shapes) {
        if (reference.deref() === undefined) {
          this.#shapes.delete(known);
        }
      }
      this.#sweepAt = 2 * Math.max(this.#shapes.size, 500);
    }
    return shape;
  }
}

function shapeFrom(
  { plan, counts }: Question,
  scan: RowScan,
  reading: Reading,
  operands: Operand[],
  wordOperand: Operand | undefined,
  residual: Condition,
): Shape {
  const bare: RowScan = { ...scan, readings: [{ ...reading, condition: residual }] };
  return {
    scan: bare,
    plan: { ...plan, scans: [bare] },
    counts: counts[0] === true,
    operands,
    wordOperand,
    scans: new Map(),
  };
}

/** The condition as it was before its literals were taken out. */
export function wholeCondition({
  shape: { scan, operands, wordOperand },
  values,
  word,
}: Shaped): Condition {
  const found: Condition = {
    kind: 'tokens',
    operand: wordOperand!,
    text: word ?? '',
    openStart: false,
    openEnd: false,
  };
  return joined('and', [
    scan.readings[0]!.condition,
    ...operands.map((operand, index) => equalTo(operand, values[index]!)),
    ...(wordOperand ? [found] : []),
  ]);
}

export function equalTo(operand: Operand, value: string): Condition {
  return { kind: 'equals', operand, value: operand.type.base === 'number' ? Number(value) : value };
}

function inOrder(condition: Condition): string {
  if (condition.kind === 'all') {
    return '';
  }
  return condition.kind === 'and'
    ? JSON.stringify(condition.of.map((part) => JSON.stringify(part)).sort())
    : JSON.stringify(condition);
}

type Equals = Extract<Condition, { kind: 'equals' }>;
type Word = Extract<Condition, { kind: 'tokens' }>;

/** Equality whose key comes back from GROUP BY as the same text: text and whole numbers of a field, never NULL. */
function isKey(part: Condition): part is Equals {
  if (part.kind !== 'equals' || part.operand.expression.kind !== 'field') {
    return false;
  }
  const { base, nullable, float } = part.operand.type;
  if (nullable) {
    return false;
  }
  return base === 'string'
    ? typeof part.value === 'string'
    : base === 'number' && !float && Number.isSafeInteger(part.value);
}

/** One word of ASCII letters and digits: what the engine's own tokens are compared with. */
function isWord(part: Condition): part is Word {
  return (
    part.kind === 'tokens' &&
    !part.openStart &&
    !part.openEnd &&
    /^[0-9A-Za-z]+$/.test(part.text) &&
    part.operand.type.base === 'string' &&
    !part.operand.type.nullable
  );
}
