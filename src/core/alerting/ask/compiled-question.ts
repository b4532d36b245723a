import type { Question } from './question.ts';
import { ShapeBook, wholeCondition, type Shaped } from './shapes.ts';

/**
 * A question as an alert keeps it. A question that has a shape keeps only what differs from the
 * other questions of that shape.
 */
export type CompiledQuestion = ShapedQuestion | UnshapedQuestion;

interface QuestionKey {
  alertId: string;
  groupBy: string;
  sourceId: string;
}

export interface ShapedQuestion extends QuestionKey {
  shaped: Shaped;
}

export interface UnshapedQuestion extends QuestionKey {
  shaped: undefined;
  question: Question;
}

/** @param book the shapes to share. One scan can serve only questions with shapes of one book. */
export function compileQuestion(
  alertId: string,
  question: Question,
  book: ShapeBook,
): CompiledQuestion {
  const { groupBy, sourceId } = question;
  const shaped = book.shaped(question);
  return shaped
    ? { alertId, groupBy, sourceId, shaped }
    : { alertId, groupBy, sourceId, shaped, question };
}

/** The question that was compiled. */
export function questionOf(compiled: CompiledQuestion): Question {
  if (compiled.shaped === undefined) {
    return compiled.question;
  }
  const { groupBy, sourceId, shaped } = compiled;
  const { plan, scan, counts } = shaped.shape;
  const [measure] = scan.measures;
  return {
    groupBy,
    sourceId,
    value: 'last',
    counts: [counts],
    plan: {
      ...plan,
      scans: [{ ...scan, measures: [{ ...measure, condition: wholeCondition(shaped) }] }],
    },
  };
}
