export interface TableName {
  schema: string;
  table: string;
}

/** One text for a table. A part with a dot or a quote is quoted, so that the text is unambiguous. */
export const tableId = ({ schema, table }: TableName): string =>
  `${quotedPart(schema)}.${quotedPart(table)}`;

const quotedPart = (name: string): string =>
  /[."]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;

/** The table of such a text. Undefined: it is not of this form. */
export function parseTableId(id: string): TableName | undefined {
  const parts = /^("(?:[^"]|"")+"|[^."]+)\.("(?:[^"]|"")+"|[^."]+)$/s.exec(id);
  const [, schema, table] = parts ?? [];
  return schema === undefined || table === undefined
    ? undefined
    : { schema: unquoted(schema), table: unquoted(table) };
}

const unquoted = (part: string): string =>
  part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part;
