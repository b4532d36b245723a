import { param } from '../../view/url-state.ts';

const tabs = ['errors', 'mapping', 'settings'] as const;
export type PipeTab = 'metrics' | (typeof tabs)[number];

/** What the URL of a pipe says. */
export interface PipeParams {
  tab?: (typeof tabs)[number] | undefined;
}

export const readPipeParams = (raw: Record<string, unknown>): PipeParams => ({
  tab: param.oneOf(raw, 'tab', tabs),
});
