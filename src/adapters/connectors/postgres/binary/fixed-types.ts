import type { FixedType } from './fixed-column.ts';

/** Days from 1970-01-01, the engine's origin, to 2000-01-01, PostgreSQL's. */
const originDays = 10_957;
/** Range of the engine's Date32, in its days: 1900-01-01 to 2299-12-31. */
const [firstDay, lastDay] = [-25_567, 120_529];
const dayMs = 86_400_000;

const int16: FixedType = {
  bytes: 2,
  decode(from, start, to, at) {
    to.setInt16(at, from.getInt16(start), true);
    return true;
  },
  text: (values, at) => String(values.getInt16(at, true)),
};

const int32: FixedType = {
  bytes: 4,
  decode(from, start, to, at) {
    to.setInt32(at, from.getInt32(start), true);
    return true;
  },
  text: (values, at) => String(values.getInt32(at, true)),
};

const uint32: FixedType = { ...int32, text: (values, at) => String(values.getUint32(at, true)) };

const int64: FixedType = {
  bytes: 8,
  decode(from, start, to, at) {
    to.setInt32(at, from.getInt32(start + 4), true);
    to.setInt32(at + 4, from.getInt32(start), true);
    return true;
  },
  text: (values, at) => String(values.getBigInt64(at, true)),
};

const uint64: FixedType = { ...int64, text: (values, at) => String(values.getBigUint64(at, true)) };

const float32: FixedType = {
  ...int32,
  text: (values, at) => floatText(values.getFloat32(at, true)),
};
const float64: FixedType = {
  ...int64,
  text: (values, at) => floatText(values.getFloat64(at, true)),
};

function floatText(value: number): string {
  if (Number.isFinite(value)) {
    return Object.is(value, -0) ? '-0' : String(value);
  }
  return Number.isNaN(value) ? 'nan' : `${value < 0 ? '-' : ''}inf`;
}

const bool: FixedType = {
  bytes: 1,
  decode(from, start, to, at) {
    to.setUint8(at, from.getUint8(start));
    return true;
  },
  text: (values, at) => (values.getUint8(at) === 0 ? 'false' : 'true'),
};

/** The engine stores the two halves as numbers. */
const uuid: FixedType = {
  bytes: 16,
  decode(from, start, to, at) {
    int64.decode(from, start, to, at);
    return int64.decode(from, start + 8, to, at + 8);
  },
  text(values, at) {
    const [high, low] = [values.getBigUint64(at, true), values.getBigUint64(at + 8, true)];
    const digits = ((high << 64n) | low).toString(16).padStart(32, '0');
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  },
};

/** The infinities are the largest and the smallest number of days. */
const date: FixedType = {
  bytes: 4,
  decode(from, start, to, at) {
    const days = from.getInt32(start) + originDays;
    to.setInt32(at, Math.min(Math.max(days, firstDay), lastDay), true);
    return true;
  },
  text: (values, at) => new Date(values.getInt32(at, true) * dayMs).toISOString().slice(0, 10),
};

/** Microseconds from 1970-01-01 to 2000-01-01, in two halves. */
const originUs = 946_684_800_000_000n;
const [originLow, originHigh] = [Number(originUs & 0xffff_ffffn), Number(originUs >> 32n)];
/** Range of the engine's DateTime64(6): the years 1 to 9999. */
const firstUs = BigInt(Date.parse('0001-01-01T00:00:00Z')) * 1000n;
const lastUs = BigInt(Date.parse('9999-12-31T23:59:59.999Z')) * 1000n + 999n;
const [firstHigh, lastHigh] = [Number(firstUs >> 32n), Number(lastUs >> 32n)];

/** The infinities are the largest and the smallest number of microseconds. */
const timestamp: FixedType = {
  bytes: 8,
  decode(from, start, to, at) {
    const low = from.getUint32(start + 4) + originLow;
    const high = from.getInt32(start) + originHigh + (low > 0xffff_ffff ? 1 : 0);
    if (high > firstHigh && high < lastHigh) {
      to.setInt32(at, low, true);
      to.setInt32(at + 4, high, true);
    } else {
      const us = from.getBigInt64(start) + originUs;
      const nearest = us < firstUs ? firstUs : us;
      to.setBigInt64(at, nearest > lastUs ? lastUs : nearest, true);
    }
    return true;
  },
  text(values, at) {
    const us = values.getBigInt64(at, true);
    const part = ((us % 1_000_000n) + 1_000_000n) % 1_000_000n;
    const moment = new Date(Number((us - part) / 1000n)).toISOString();
    return `${moment.slice(0, 19).replace('T', ' ')}.${String(part).padStart(6, '0')}`;
  },
};

/** Hundredths, in the locale C. */
const money: FixedType = {
  bytes: 16,
  decode(from, start, to, at) {
    int64.decode(from, start, to, at);
    const sign = from.getInt32(start) >> 31;
    to.setInt32(at + 8, sign, true);
    to.setInt32(at + 12, sign, true);
    return true;
  },
  text: (values, at) => decimalText(values, at, 16, 2),
};

/** By pg_type.typname. */
export const fixedTypes: ReadonlyMap<string, FixedType> = new Map([
  ['int2', int16],
  ['int4', int32],
  ['int8', int64],
  ['oid', uint32],
  ['xid', uint32],
  ['cid', uint32],
  ['xid8', uint64],
  ['float4', float32],
  ['float8', float64],
  ['bool', bool],
  ['uuid', uuid],
  ['date', date],
  ['timestamp', timestamp],
  ['timestamptz', timestamp],
  ['money', money],
]);

/** A decimal of the engine as text. */
export function decimalText(values: DataView, at: number, bytes: number, scale: number): string {
  const value = integerAt(values, at, bytes);
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const point = digits.length - scale;
  const fraction = scale === 0 ? '' : `.${digits.slice(point)}`;
  return `${value < 0n ? '-' : ''}${digits.slice(0, point)}${fraction}`;
}

function integerAt(values: DataView, at: number, bytes: number): bigint {
  if (bytes === 4) {
    return BigInt(values.getInt32(at, true));
  }
  let value = 0n;
  for (let limb = bytes - 8; limb >= 0; limb -= 8) {
    value = (value << 64n) | values.getBigUint64(at + limb, true);
  }
  return BigInt.asIntN(bytes * 8, value);
}
