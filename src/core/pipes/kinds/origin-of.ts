/** Scheme, host and port of an address whose path may contain patterns. */
export const originOf = (address: string): string =>
  (/^[a-z0-9]+:\/\/[^/?#]*/i.exec(address)?.[0] ?? address).toLowerCase();
