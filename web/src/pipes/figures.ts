import type { PipeCounts } from '../api/queries/pipes.ts';
import { plural } from '../view/number-format.ts';
import { formatValue } from '../view/value-format.ts';
import { formatAgo } from '../view/zone.ts';

export const bytesText = (bytes: number): string => formatValue(bytes, { output: 'byte' });

/** `120/s`; a dash until it is known. */
export const rateText = ({ rowRate }: Pick<PipeCounts, 'rowRate'>): string =>
  rowRate === undefined ? '–' : `${formatValue(rowRate)}/s`;

/** Records that wait, or the log that a database keeps for the pipe. */
export function lagText({ lag, retainedBytes }: PipeCounts): string {
  if (lag !== null) {
    return plural(lag, 'record');
  }
  return typeof retainedBytes === 'number' ? `${bytesText(retainedBytes)} of log` : '–';
}

/** How old the oldest record is that waits; undefined: none waits. */
export const oldestText = ({ oldestUnprocessedAt }: PipeCounts): string | undefined =>
  oldestUnprocessedAt === null ? undefined : `oldest ${formatAgo(Date.parse(oldestUnprocessedAt))}`;
