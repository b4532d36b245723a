/** The worst first. */
export const levels = ['error', 'warning', 'note'] as const;
export type Level = (typeof levels)[number];

/** Something that is wrong, in a sentence, and what to do. */
export interface Problem {
  key: string;
  level: Level;
  title: string;
  text: string;
  /** Pages of the objects. */
  links?: readonly ProblemLink[];
}

export interface ProblemLink {
  path: string;
  search?: { tab: 'deliveries' };
  label: string;
}
