import type { PipeCounts } from '../api/queries/pipes.ts';
import { plural } from '../view/number-format.ts';
import { formatValue } from '../view/value-format.ts';
import { formatAgo } from '../view/zone.ts';

export const bytesText = (bytes: number): string => formatValue(bytes, { output: 'byte' });

const unknown = '–';

/** `120/s`; a dash until it is known. */
export const rateText = ({ rowRate }: Pick<PipeCounts, 'rowRate'>): string =>
  rowRate === undefined ? unknown : `${formatValue(rowRate)}/s`;

/** Records that wait, or the log that a database keeps for the pipe. */
export function lagText({ lag, retainedBytes }: PipeCounts): string {
  if (lag !== null) {
    return plural(lag, 'record');
  }
  return typeof retainedBytes === 'number' ? `${bytesText(retainedBytes)} of log` : unknown;
}

/** Lag and rate in one line, without what is not known. */
export function progressText(counts: PipeCounts): string {
  const lag = lagText(counts);
  const rate = rateText(counts);
  return [lag === unknown ? '' : `lag ${lag}`, rate === unknown ? '' : rate, badText(counts)]
    .filter(Boolean)
    .join(', ');
}

const badText = ({ errors }: PipeCounts): string =>
  errors === 0 ? '' : plural(errors, 'bad record');

/** How old the oldest record is that waits; undefined: none waits. */
export const oldestText = ({ oldestUnprocessedAt }: PipeCounts): string | undefined =>
  oldestUnprocessedAt === null ? undefined : `oldest ${formatAgo(Date.parse(oldestUnprocessedAt))}`;
