import type { Pipe } from '../api/queries/pipes.ts';

/** What a person types to confirm: the name, unless it is long or cannot be typed as it is shown. */
export function confirmWord({ name }: Pick<Pipe, 'name'>, action: string): string {
  const isPlain = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u.test(name) && name === name.trim();
  return isPlain && !name.includes('  ') ? name : action;
}
