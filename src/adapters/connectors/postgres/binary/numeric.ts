import type { FixedType } from './fixed-column.ts';
import { decimalText } from './fixed-types.ts';
import type { TextColumn } from './text-column.ts';

/*
 * A numeric in binary form: four 16-bit numbers (count of digits, weight of the first, sign, digits
 * after the point), then digits of base 10,000.
 */
const digitsAt = 8;
const negative = 0x4000;
const notANumber = 0xc000;
const infinity = 0xd000;
const minusInfinity = 0xf000;

/** More digits than a JavaScript number holds need a bigint. */
const exactDigits = 15;

/**
 * A numeric that is stored as a Decimal of this many digits, `scale` of them after the point. NaN is
 * stored as NULL.
 */
export function decimalType(precision: number, scale: number): FixedType {
  const bytes = decimalBytes(precision);
  const decode = precision <= exactDigits ? decodeSmall : decodeLarge;
  return {
    bytes,
    decode: (from, start, to, at) => decode(from, start, to, at, bytes, scale),
    text: (values, at) => decimalText(values, at, bytes, scale),
  };
}

function decimalBytes(precision: number): number {
  if (precision <= 9) {
    return 4;
  }
  if (precision <= 18) {
    return 8;
  }
  return precision <= 38 ? 16 : 32;
}

const powers = Array.from({ length: exactDigits + 1 }, (_, exponent) => 10 ** exponent);

function decodeSmall(
  from: DataView,
  start: number,
  to: DataView,
  at: number,
  bytes: number,
  scale: number,
): boolean {
  const sign = from.getUint16(start + 4);
  if (sign >= notANumber) {
    return false;
  }
  const count = from.getInt16(start);
  let exponent = 4 * from.getInt16(start + 2) + scale;
  let value = 0;
  for (let index = 0; index < count; index++, exponent -= 4) {
    const digit = from.getUint16(start + digitsAt + 2 * index);
    // No digit stands beyond the scale, so the division leaves no rest.
    value += exponent >= 0 ? digit * powers[exponent]! : digit / powers[-exponent]!;
  }
  if (sign === negative) {
    value = -value;
  }
  to.setInt32(at, value, true);
  if (bytes === 8) {
    to.setInt32(at + 4, Math.floor(value / 0x1_0000_0000), true);
  }
  return true;
}

function decodeLarge(
  from: DataView,
  start: number,
  to: DataView,
  at: number,
  bytes: number,
  scale: number,
): boolean {
  const sign = from.getUint16(start + 4);
  if (sign >= notANumber) {
    return false;
  }
  const count = from.getInt16(start);
  let value = 0n;
  for (let index = 0; index < count; index++) {
    value = value * 10_000n + BigInt(from.getUint16(start + digitsAt + 2 * index));
  }
  const exponent = 4 * (from.getInt16(start + 2) - count + 1) + scale;
  value = exponent >= 0 ? value * 10n ** BigInt(exponent) : value / 10n ** BigInt(-exponent);
  if (sign === negative) {
    value = -value;
  }
  for (let limb = 0; limb < bytes; limb += 8) {
    to.setBigInt64(at + limb, BigInt.asIntN(64, value), true);
    value >>= 64n;
  }
  return true;
}

/** Writes a numeric with every digit, as PostgreSQL does. */
export function writeNumeric(to: TextColumn, source: Buffer, start: number): void {
  to.text(numericText(source, start));
}

function numericText(source: Buffer, start: number): string {
  const sign = source.readUInt16BE(start + 4);
  switch (sign) {
    case notANumber:
      return 'NaN';
    case infinity:
      return 'Infinity';
    case minusInfinity:
      return '-Infinity';
  }
  const count = source.readInt16BE(start);
  const weight = source.readInt16BE(start + 2);
  const scale = source.readUInt16BE(start + 6);
  const digitAt = (place: number): string => {
    const index = weight - place;
    const isStored = index >= 0 && index < count;
    const digit = isStored ? source.readUInt16BE(start + digitsAt + 2 * index) : 0;
    return String(digit).padStart(4, '0');
  };
  let whole = '';
  for (let place = weight; place >= 0; place--) {
    whole += digitAt(place);
  }
  let fraction = '';
  for (let place = -1; fraction.length < scale; place--) {
    fraction += digitAt(place);
  }
  const point = scale === 0 ? '' : `.${fraction.slice(0, scale)}`;
  return `${sign === negative ? '-' : ''}${whole.replace(/^0+/, '') || '0'}${point}`;
}
