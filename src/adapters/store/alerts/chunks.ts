/** Rows that one page of a read over a whole table holds. */
export const pageRows = 1000;

const idsPerStatement = 500;

/** Cuts a list of ids into parts, each short enough for one statement. */
export function chunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / idsPerStatement) }, (_, index) =>
    items.slice(index * idsPerStatement, (index + 1) * idsPerStatement),
  );
}
