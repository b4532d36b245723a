import type { Question } from './question.ts';
import { ShapeBook, wholeCondition, type Shaped } from './shapes.ts';

/** What is remembered of a question: of one that has a shape only what sets it apart from the others of that shape. */
export type Asked = ShapedAsked | OtherAsked;

interface AskedBase {
  alertId: string;
  groupBy: string;
  sourceId: string;
}

export interface ShapedAsked extends AskedBase {
  shaped: Shaped;
}

export interface OtherAsked extends AskedBase {
  shaped: undefined;
  question: Question;
}

/** @param book where shapes are shared; alerts are asked together only where theirs come from one book. */
export function asked(alertId: string, question: Question, book: ShapeBook): Asked {
  const { groupBy, sourceId } = question;
  const shaped = book.shaped(question);
  return shaped
    ? { alertId, groupBy, sourceId, shaped }
    : { alertId, groupBy, sourceId, shaped, question };
}

/** The question again. */
export function questionOf(one: Asked): Question {
  if (one.shaped === undefined) {
    return one.question;
  }
  const { groupBy, sourceId, shaped } = one;
  const { plan, scan, counts } = shaped.shape;
  return {
    groupBy,
    sourceId,
    value: 'last',
    counts: [counts],
    plan: {
      ...plan,
      scans: [{ ...scan, readings: [{ ...scan.readings[0]!, condition: wholeCondition(shaped) }] }],
    },
  };
}
