/** `1,234,567` */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

/** `1.2 M`: three digits and a unit, for places without room. */
export function formatShort(value: number): string {
  const steps: [number, string][] = [
    [1e12, ' T'],
    [1e9, ' G'],
    [1e6, ' M'],
    [1e3, ' k'],
  ];
  const [unit, name] = steps.find(([limit]) => Math.abs(value) >= limit) ?? [1, ''];
  const scaled = value / unit;
  return `${scaled.toLocaleString('en-US', { maximumFractionDigits: Math.abs(scaled) < 10 ? 1 : 0 })}${name}`;
}

/** `1.2 s`, `340 ms`, `12 µs` from nanoseconds. */
export function formatDuration(ns: number): string {
  const steps: [number, string][] = [
    [60e9, 'min'],
    [1e9, 's'],
    [1e6, 'ms'],
    [1e3, 'µs'],
  ];
  const [unit, name] = steps.find(([limit]) => Math.abs(ns) >= limit) ?? [1, 'ns'];
  const value = ns / unit;
  let digits = 0;
  if (value < 10) {
    digits = 2;
  } else if (value < 100) {
    digits = 1;
  }
  return `${value.toLocaleString('en-US', { maximumFractionDigits: digits })} ${name}`;
}

/** `1 row`, `2 rows` */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
