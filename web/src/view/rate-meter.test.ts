import { describe, expect, it } from 'vitest';
import { RateMeter } from './rate-meter.ts';

describe('RateMeter', () => {
  it('knows no rate from one reading, or from two that are close', () => {
    const meter = new RateMeter();
    expect(meter.read('orders', 100, 1000)).toBeUndefined();
    expect(meter.read('orders', 200, 2000)).toBeUndefined();
    expect(meter.read('payments', 900, 9000)).toBeUndefined();
  });

  it('divides by the time since the oldest reading of the last minute', () => {
    const meter = new RateMeter();
    meter.read('orders', 0, 0);
    expect(meter.read('orders', 500, 10_000)).toBe(50);
    expect(meter.read('orders', 500, 20_000)).toBe(25);
    expect(meter.read('orders', 500, 65_000)).toBe(0);
  });

  it('takes the last reading before a pause', () => {
    const meter = new RateMeter();
    meter.read('orders', 0, 0);
    meter.read('orders', 0, 10_000);
    expect(meter.read('orders', 1000, 210_000)).toBe(5);
  });

  it('begins again if a counter fell', () => {
    const meter = new RateMeter();
    meter.read('orders', 1000, 0);
    expect(meter.read('orders', 10, 10_000)).toBeUndefined();
    expect(meter.read('orders', 30, 20_000)).toBe(2);
  });
});
