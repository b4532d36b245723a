const browsers: readonly [pattern: RegExp, name: string][] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** `Firefox on Linux`, of the name that a browser sends. An unknown name stays as it is. */
export function browserName(agent: string | undefined): string {
  if (agent === undefined) {
    return 'Unknown browser';
  }
  const find = (known: typeof browsers): string | undefined =>
    known.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  if (browser === undefined) {
    return agent;
  }
  return system === undefined ? browser : `${browser} on ${system}`;
}
