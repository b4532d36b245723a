import type { TimeData } from './time-data.ts';

/** About a hundredth of the largest value, as a round number; whole for whole values. */
export function stepOf({ series }: TimeData, thresholds: readonly number[]): number {
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const sizes = (known.length > 0 ? known : thresholds).map(Math.abs);
  const isWhole = [...known, ...thresholds].every(Number.isInteger);
  const hundredth = sizes.reduce((most, size) => Math.max(most, size), 0) / 100;
  if (hundredth === 0) {
    return isWhole ? 1 : 0.01;
  }
  const power = 10 ** Math.floor(Math.log10(hundredth));
  const round = [1, 2, 5].find((one) => one * power >= hundredth * 0.999) ?? 10;
  return isWhole ? Math.max(1, round * power) : round * power;
}

/** The nearest multiple of the step, without the noise of binary fractions. */
export const rounded = (value: number, step: number): number =>
  Number((Math.round(value / step) * step).toPrecision(12));
