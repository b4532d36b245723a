import { param } from '../../view/url-state.ts';

const tabs = ['errors', 'mapping', 'settings'] as const;
const hours = ['6', '24'] as const;
export type PipeHours = '1' | (typeof hours)[number];
export type PipeTab = 'metrics' | (typeof tabs)[number];

/** What the URL of a pipe says. */
export interface PipeParams {
  tab?: (typeof tabs)[number] | undefined;
  /** How far back the charts go; absent: one hour. */
  hours?: (typeof hours)[number] | undefined;
}

export const readPipeParams = (raw: Record<string, unknown>): PipeParams => ({
  tab: param.oneOf(raw, 'tab', tabs),
  hours: param.oneOf(raw, 'hours', hours),
});
