import { pipeKinds, type PipeKind } from '../../pipes/kinds.ts';
import { param } from '../../view/url-state.ts';

/** The steps after the choice of a kind. */
export const steps = ['connection', 'data', 'columns', 'settings', 'create'] as const;
export type Step = (typeof steps)[number];

/** What the URL of a new pipe says. Without a step, the kind is to be chosen. */
export interface NewPipeParams {
  kind?: PipeKind | undefined;
  step?: Step | undefined;
}

export const readNewPipeParams = (raw: Record<string, unknown>): NewPipeParams => {
  const kind = param.oneOf(raw, 'kind', pipeKinds);
  return { kind, step: kind && param.oneOf(raw, 'step', steps) };
};
