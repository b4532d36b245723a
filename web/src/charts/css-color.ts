const resolved = new Map<string, string>();

/** What a canvas understands of `var(--name)` in the present theme. */
export function cssColor(color: string): string {
  const name = /^var\((--[\w-]+)\)$/.exec(color)?.[1];
  if (name === undefined) {
    return color;
  }
  const { documentElement } = document;
  const key = `${documentElement.dataset['theme']} ${name}`;
  const known = resolved.get(key);
  if (known !== undefined) {
    return known;
  }
  const value = getComputedStyle(documentElement).getPropertyValue(name).trim();
  resolved.set(key, value);
  return value;
}
