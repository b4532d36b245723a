import { formatShort } from '../../../view/number-format.ts';

/** `12/s`; below one in a second `4.2/min`, below one in a minute `3/h`. */
export function formatRate(perSecond: number): string {
  if (perSecond === 0) {
    return '0';
  }
  if (perSecond >= 1) {
    return `${formatShort(perSecond)}/s`;
  }
  return perSecond >= 1 / 60
    ? `${formatShort(perSecond * 60)}/min`
    : `${formatShort(perSecond * 3600)}/h`;
}

/** `12 %`, `1.2 %`, `0.03 %`; a share that is not 0 never reads as 0. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent === 0) {
    return '0 %';
  }
  if (percent < 0.01) {
    return '< 0.01 %';
  }
  const digits = percent < 1 ? 2 : 1;
  const text = percent.toLocaleString('en-US', {
    maximumFractionDigits: percent >= 10 ? 0 : digits,
  });
  // 99.7 % are not all.
  return text === '100' && share < 1 ? '> 99 %' : `${text} %`;
}
