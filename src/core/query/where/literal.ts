/** A number as the caller wrote it, in its plainest notation, so that no digit is lost. */
export interface NumberLiteral {
  kind: 'number';
  /** `-12`, `0.5`, or `1e+300` if the plain notation would have more than 76 digits. */
  text: string;
}

export interface TimeLiteral {
  kind: 'time';
  /** Since 1970, as text: more digits than a double has. */
  nanos: string;
}

export type Literal = NumberLiteral | TimeLiteral;

const numberForm = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
/** The widest integers and decimals of the engine have 76 digits for certain. */
const digitsMax = 76;

/** Undefined if the text is not a finite number. */
export function numberLiteral(text: string): NumberLiteral | undefined {
  const trimmed = text.trim();
  const value = Number(trimmed);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = numberForm.exec(trimmed) ?? [];
  if (whole + fraction === '' || !Number.isFinite(value)) {
    return undefined;
  }
  const places = fraction.length - Number(exponent);
  const digits = (whole + fraction).padEnd(whole.length + fraction.length - places, '0');
  const padded = digits.padStart(places + 1, '0');
  const split = padded.length - Math.max(places, 0);
  const integer = padded.slice(0, split).replace(/^0+(?=\d)/, '');
  const decimals = padded.slice(split).replace(/0+$/, '');
  if (integer.length + decimals.length > digitsMax) {
    return { kind: 'number', text: String(value) };
  }
  const plain = decimals === '' ? integer : `${integer}.${decimals}`;
  return { kind: 'number', text: sign === '-' && plain !== '0' ? `-${plain}` : plain };
}

export const isInteger = ({ text }: NumberLiteral): boolean => /^-?\d+$/.test(text);

const timeForm =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * An ISO 8601 time, UTC without an offset, or milliseconds since 1970. Undefined for any other text.
 */
export function timeLiteral(text: string): TimeLiteral | undefined {
  const number = numberLiteral(text);
  if (number) {
    return /e/.test(number.text) ? undefined : { kind: 'time', nanos: nanosOfMs(number.text) };
  }
  const [, day, minute = '00:00', second = '00', fraction = '', offset = 'Z'] =
    timeForm.exec(text) ?? [];
  const ms = Date.parse(`${day ?? ''}T${minute}:${second}${offset}`);
  if (day === undefined || Number.isNaN(ms)) {
    return undefined;
  }
  return { kind: 'time', nanos: String(BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))) };
}

/** Digits beyond a nanosecond are cut. */
function nanosOfMs(text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  return String(BigInt(whole + fraction.slice(0, 6).padEnd(6, '0')));
}
