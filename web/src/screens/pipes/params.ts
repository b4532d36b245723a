import type { ListedPipe } from '../../api/queries/pipes.ts';
import {
  kindOf,
  kindWords,
  pipeKinds,
  sourceText,
  targetText,
  type PipeKind,
} from '../../pipes/kinds.ts';
import { nameOf, pipeStates } from '../../pipes/states.ts';
import { param } from '../../view/url-state.ts';

/** What the URL of the list of pipes says. */
export interface PipesParams {
  state?: (typeof pipeStates)[number] | undefined;
  kind?: PipeKind | undefined;
  find?: string | undefined;
}

export function readPipesParams(raw: Record<string, unknown>): PipesParams {
  return {
    state: param.oneOf(raw, 'state', pipeStates),
    kind: param.oneOf(raw, 'kind', pipeKinds),
    find: param.text(raw, 'find', 200),
  };
}

/** Whether the pipe is among those that the URL asks for. */
export function fits(pipe: ListedPipe, { state, kind, find = '' }: PipesParams): boolean {
  const text = [nameOf(pipe), kindWords[kindOf(pipe)], sourceText(pipe), targetText(pipe)]
    .join(' ')
    .toLowerCase();
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  return (
    (state === undefined || pipe.state === state) &&
    (kind === undefined || kindOf(pipe) === kind) &&
    words.every((word) => text.includes(word))
  );
}
