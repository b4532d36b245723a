/** Quotes a name for PostgreSQL. Values are never quoted into SQL: pass them as parameters. */
export function quoteName(name: string): string {
  if (name === '' || name.includes('\0')) {
    throw new TypeError('a name must not be empty or contain a null character');
  }
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteTable({ schema, table }: { schema: string; table: string }): string {
  return `${quoteName(schema)}.${quoteName(table)}`;
}

/**
 * Quotes a text for a command of the replication protocol, which takes no parameters: names of
 * slots, publications and snapshots. Sessions use standard_conforming_strings, so only the quote
 * itself needs escaping.
 */
export function quoteText(text: string): string {
  if (text.includes('\0')) {
    throw new TypeError('a text must not contain a null character');
  }
  return `'${text.replaceAll("'", "''")}'`;
}
