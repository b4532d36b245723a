import {
  conjuncts,
  joined,
  type Condition,
  type Operand,
  type Measure,
  type NumberLiteral,
  type Scan,
} from '../../query/index.ts';
import type { Question } from './question.ts';

/** A scan of logs or spans. */
export type RowScan = Extract<Scan, { kind: 'rows' }>;

/** A scan of logs or spans with one measure. */
export type SimpleScan = RowScan & { measures: [Measure] };

/**
 * A condition without its literals. Alerts of one shape differ only in the values of their keys and
 * in one word, so that one GROUP BY answers all of them. They share one `Shape` object.
 */
export interface Shape {
  /** The scan of the plan; the condition of its measure has neither keys nor word. */
  scan: SimpleScan;
  plan: Question['plan'];
  /** Whether the measure is a count, so that no rows mean the value 0. */
  counts: boolean;
  /** The key columns; the groups of the alert itself come after them. */
  operands: readonly Operand[];
  /** The text to search for a whole word; undefined: the condition has no such part. */
  wordOperand: Operand | undefined;
}

/** A shape and one alert's literals. */
export interface Shaped {
  shape: Shape;
  /** Values of the shape's operands, as the engine prints them. */
  values: readonly string[];
  word: string | undefined;
}

/** The value of the operand at `index`. */
export function valueOf({ values }: Shaped, index: number): string {
  const value = values[index];
  if (value === undefined) {
    throw new RangeError(`the shape has no operand ${index}`);
  }
  return value;
}

/** The scan of a plan with one scan of rows and one measure. Other plans run alone. */
export function simpleScan({ plan, value }: Question): SimpleScan | undefined {
  const [scan, ...others] = plan.scans;
  return scan?.kind === 'rows' && others.length === 0 && value === 'last' && isSimple(scan)
    ? scan
    : undefined;
}

const isSimple = (scan: RowScan): scan is SimpleScan => scan.measures.length === 1;

const numbersMax = 10_000;

/** The shapes in use. */
export class ShapeBook {
  readonly #shapes = new Map<string, WeakRef<Shape>>();
  #sweepAt = 1000;
  /** Equal parts have equal numbers. Parts that are columns are mostly the same objects. */
  readonly #numbers = new WeakMap<object, number>();
  readonly #numbersByText = new Map<string, number>();
  #lastNumber = 0;

  /** The shape of a question; undefined if the question has none. */
  shaped(question: Question): Shaped | undefined {
    const scan = simpleScan(question);
    if (!scan) {
      return undefined;
    }
    const [measure] = scan.measures;
    const keys: Equals[] = [];
    const rest: Condition[] = [];
    let word: Word | undefined;
    const counts = measure.aggregate.fn === 'count' && measure.aggregate.operand === undefined;
    for (const part of conjuncts(measure.condition)) {
      if (isKey(part)) {
        keys.push(part);
      } else if (counts && word === undefined && isWord(part)) {
        word = part;
      } else {
        rest.push(part);
      }
    }
    // The order of the parts of an AND has no meaning.
    if (keys.length > 1) {
      keys.sort((a, b) => this.#numberOf(a.operand) - this.#numberOf(b.operand));
    }
    const residual = joined('and', rest);
    const { tenant } = question.plan;
    const key = `${JSON.stringify(tenant)} ${this.#keyOf(scan, measure, keys, word, residual)}`;
    const shape =
      this.#shapes.get(key)?.deref() ??
      this.#add(
        key,
        shapeFrom(
          question,
          scan,
          measure,
          keys.map(({ operand }) => operand),
          word?.operand,
          residual,
        ),
      );
    return {
      shape,
      values: keys.map(({ value }) => keyText(value)),
      word: word?.text.toLowerCase(),
    };
  }

  #keyOf(
    scan: RowScan,
    { aggregate }: Measure,
    keys: readonly Equals[],
    word: Word | undefined,
    residual: Condition,
  ): string {
    let text = `${aggregate.fn} ${aggregate.level} ${this.#numberOf(aggregate.operand)}`;
    text += ` ${this.#numberOf(scan.time)} ${scan.rollup?.exactFromMs}`;
    text += ` ${this.#numberOf(word?.operand)}`;
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
    // A forgotten part gets a new number. Some alerts then no longer share a scan, but no alert is
    // mistaken for another.
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
  measure: Measure,
  operands: Operand[],
  wordOperand: Operand | undefined,
  residual: Condition,
): Shape {
  const bare: SimpleScan = { ...scan, measures: [{ ...measure, condition: residual }] };
  return {
    scan: bare,
    plan: { ...plan, scans: [bare] },
    counts: counts[0] === true,
    operands,
    wordOperand,
  };
}

/** The condition with its literals put back. */
export function wholeCondition(shaped: Shaped): Condition {
  const { scan, operands, wordOperand } = shaped.shape;
  const conditions = [
    scan.measures[0].condition,
    ...operands.map((operand, index) => equalTo(operand, valueOf(shaped, index))),
  ];
  if (wordOperand) {
    conditions.push({
      kind: 'tokens',
      operand: wordOperand,
      text: shaped.word ?? '',
      openStart: false,
      openEnd: false,
    });
  }
  return joined('and', conditions);
}

export function equalTo(operand: Operand, value: string): Condition {
  return {
    kind: 'equals',
    operand,
    value: operand.type.base === 'number' ? { kind: 'number', text: value } : value,
  };
}

function inOrder(condition: Condition): string {
  if (condition.kind === 'all') {
    return '';
  }
  return condition.kind === 'and'
    ? JSON.stringify(condition.parts.map((part) => JSON.stringify(part)).sort())
    : JSON.stringify(condition);
}

type Equals = Extract<Condition, { kind: 'equals' }> & { value: string | NumberLiteral };

const keyText = (value: Equals['value']): string =>
  typeof value === 'string' ? value : value.text;

type Word = Extract<Condition, { kind: 'tokens' }>;

const fits64 = /^-?\d{1,18}$/;

/** An equality whose key GROUP BY returns as the same text: text or integers of a field, no NULL. */
function isKey(part: Condition): part is Equals {
  if (part.kind !== 'equals' || part.operand.expression.kind !== 'field') {
    return false;
  }
  const { field } = part.operand.expression;
  const { base, nullable, float, decimal } = part.operand.type;
  if (nullable || float || decimal === true) {
    return false;
  }
  if (typeof part.value === 'object') {
    // A missing key of a map would be read as 0.
    const isColumn = field.kind === 'column';
    return (
      isColumn && part.value.kind === 'number' && base === 'number' && fits64.test(part.value.text)
    );
  }
  return base === 'string' && typeof part.value === 'string';
}

/** One word of ASCII letters and digits, like the engine's own tokens. */
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
