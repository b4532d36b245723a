type Sent<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields of a change that were sent; a field that is absent or undefined keeps its value. */
export function sentFields<T extends object>(change: T): Sent<T> {
  const sent = Object.entries(change).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as Sent<T>;
}
