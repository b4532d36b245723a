/** A name as it stands in SQL for PostgreSQL. Values never come this way: they are parameters. */
export function quoteName(name: string): string {
  if (name === '' || name.includes('\0')) {
    throw new TypeError('a name cannot be empty or hold a null character');
  }
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteTable({ schema, table }: { schema: string; table: string }): string {
  return `${quoteName(schema)}.${quoteName(table)}`;
}

/**
 * A text in a command of the replication protocol, which knows no parameters: names of slots, publications and snapshots. It is read
 * with standard_conforming_strings, so that only the quote itself is special.
 */
export function quoteText(text: string): string {
  if (text.includes('\0')) {
    throw new TypeError('a text cannot hold a null character');
  }
  return `'${text.replaceAll("'", "''")}'`;
}
