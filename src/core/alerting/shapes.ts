import { conjuncts, joined, type Condition, type Operand, type Reading, type Scan } from '../query/index.ts';
import type { Question } from './question.ts';

/** A scan of logs or spans. */
export type RowScan = Extract<Scan, { kind: 'rows' }>;

/**
 * A condition with its literals taken out: alerts of one shape differ only in the values of their keys (and in one word), and are answered by
 * one GROUP BY. `key` is equal for alerts of one shape and for no others.
 */
export interface Shape {
  key: string;
  scan: RowScan;
  reading: Reading;
  /** What rows are told apart by; the groups of the alert itself come after them. */
  operands: Operand[];
  /** Values of `operands`, as the engine writes them as text. */
  values: string[];
  /** Text in which a whole word is looked for; undefined: no such part. */
  wordOperand: Operand | undefined;
  word: string | undefined;
  /** What is left of the condition. */
  residual: Condition;
}

/** A part of the plan with one scan of rows and one reading; other plans are asked alone. */
export function simpleScan({ plan, value }: Question): RowScan | undefined {
  const [scan, ...others] = plan.scans;
  return scan?.kind === 'rows' && others.length === 0 && value === 'last' && scan.readings.length === 1 ? scan : undefined;
}

/** The shape of a question; undefined where it has to be asked in another way. */
export function shapeOf(question: Question): Shape | undefined {
  const scan = simpleScan(question);
  if (!scan) return undefined;
  const reading = scan.readings[0]!;
  const parts = conjuncts(reading.condition);
  const keys = parts.filter(isKey);
  const counts = reading.aggregate.fn === 'count' && reading.aggregate.operand === undefined;
  const word = counts ? parts.find(isWord) : undefined;
  const residual = joined('and', parts.filter((part) => !isKey(part) && part !== word));
  // The order in which somebody wrote the parts of an AND means nothing.
  const sorted = keys.map((part) => ({ part, text: JSON.stringify(part.operand.expression) })).sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  const operands = sorted.map(({ part }) => part.operand);
  const key = JSON.stringify([scan.table, scan.time, scan.groups, reading.aggregate, operands, word?.operand, inOrder(residual)]);
  return { key, scan, reading, operands, values: sorted.map(({ part }) => String(part.value)), wordOperand: word?.operand, word: word?.text.toLowerCase(), residual };
}

function inOrder(condition: Condition): string {
  return condition.kind === 'and' ? JSON.stringify(condition.of.map((part) => JSON.stringify(part)).sort()) : JSON.stringify(condition);
}

type Equals = Extract<Condition, { kind: 'equals' }>;
type Word = Extract<Condition, { kind: 'tokens' }>;

/** Equality whose key comes back from GROUP BY as the same text: text and whole numbers of a field, never NULL. */
function isKey(part: Condition): part is Equals {
  if (part.kind !== 'equals' || part.operand.expression.kind !== 'field') return false;
  const { base, nullable, float } = part.operand.type;
  if (nullable) return false;
  return base === 'string' ? typeof part.value === 'string' : base === 'number' && !float && Number.isSafeInteger(part.value);
}

/** One word of ASCII letters and digits: what the engine's own tokens are compared with. */
function isWord(part: Condition): part is Word {
  return part.kind === 'tokens' && !part.openStart && !part.openEnd && /^[0-9A-Za-z]+$/.test(part.text) && part.operand.type.base === 'string' && !part.operand.type.nullable;
}
