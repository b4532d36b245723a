import { formatDuration, formatShort } from './number-format.ts';

/** How a chart shows its numbers. */
export interface ValueFormat {
  output:
    | 'number'
    | 'percent'
    | 'byte'
    | 'time'
    | 'duration'
    | 'currency'
    | 'data_rate'
    | 'throughput';
  mantissa?: number | undefined;
  thousandSeparated?: boolean | undefined;
  average?: boolean | undefined;
  decimalBytes?: boolean | undefined;
  factor?: number | undefined;
  currencySymbol?: string | undefined;
  unit?: string | undefined;
}

/** Text of a number on a chart. Times and durations are in seconds, shares between 0 and 1. */
export function formatValue(value: number, format: ValueFormat = { output: 'number' }): string {
  const scaled = value * (format.factor ?? 1);
  const text = textOf(scaled, format);
  return format.unit === undefined || format.unit === '' ? text : `${text} ${format.unit}`;
}

function textOf(value: number, format: ValueFormat): string {
  switch (format.output) {
    case 'percent':
      return `${plain(value * 100, format, 1)} %`;
    case 'byte':
      return bytes(value, format);
    case 'data_rate':
      return `${bytes(value, format)}/s`;
    case 'throughput':
      return `${number(value, format)}/s`;
    case 'currency':
      return `${format.currencySymbol ?? '$'}${number(value, format)}`;
    case 'duration':
      return formatDuration(value * 1e9);
    case 'time':
      return clock(value);
    case 'number':
      return number(value, format);
  }
}

function number(value: number, format: ValueFormat): string {
  if (format.average ?? Math.abs(value) >= 1e6) {
    return formatShort(value);
  }
  return plain(value, format, decimalsOf(value));
}

function plain(value: number, format: ValueFormat, decimals: number): string {
  return value.toLocaleString('en-US', {
    minimumFractionDigits: format.mantissa ?? 0,
    maximumFractionDigits: format.mantissa ?? decimals,
    useGrouping: format.thousandSeparated ?? true,
  });
}

/** Three digits that say something. */
function decimalsOf(value: number): number {
  const size = Math.abs(value);
  if (size >= 100 || size === 0) {
    return 0;
  }
  return size >= 1 ? 2 : Math.min(10, 2 - Math.floor(Math.log10(size)));
}

const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
const decimalUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

function bytes(value: number, format: ValueFormat): string {
  const base = format.decimalBytes ? 1000 : 1024;
  const units = format.decimalBytes ? decimalUnits : binaryUnits;
  const size = Math.abs(value);
  const power = size < base ? 0 : Math.floor(Math.log(size) / Math.log(base));
  const step = Math.min(power, units.length - 1);
  const scaled = value / base ** step;
  return `${plain(scaled, format, step === 0 ? 0 : decimalsOf(scaled))} ${units[step]}`;
}

/** `2:03:04`, from seconds. */
function clock(seconds: number): string {
  const whole = Math.round(Math.abs(seconds));
  const two = (part: number): string => String(part).padStart(2, '0');
  const text = `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  return seconds < 0 ? `−${text}` : text;
}
