import type { ObjectCompression, ObjectFormat } from '../../../contract/pipe/object-storage.ts';

const formatOfExtension: Record<string, ObjectFormat> = {
  json: 'JSONEachRow',
  jsonl: 'JSONEachRow',
  ndjson: 'JSONEachRow',
  csv: 'CSV',
  tsv: 'TabSeparated',
  tab: 'TabSeparated',
  parquet: 'Parquet',
  pq: 'Parquet',
  avro: 'Avro',
};
/** Endings that say how an object is compressed; the engine reads them itself. */
const compressionExtensions = new Set(['gz', 'gzip', 'br', 'brotli', 'xz', 'lzma', 'zst', 'zstd']);

/** The engine reads a name only up to the end of its first line, which may be the name of another object. */
export const hasLineBreak = (name: string): boolean => name.includes('\n');

/**
 * The format of an object: as the pipe says, else by the ending of its name, compression aside. Undefined: it cannot be told, or not be read. One
 * without content has any: such objects stand for folders, or say that others are complete.
 */
export function formatOf(
  { name, bytes }: { name: string; bytes: number },
  format: ObjectFormat | undefined,
): ObjectFormat | undefined {
  if (hasLineBreak(name)) {
    return undefined;
  }
  if (format !== undefined) {
    return format;
  }
  const told = formatOfName(name);
  return told ?? (bytes === 0 ? 'JSONEachRow' : undefined);
}

function formatOfName(name: string): ObjectFormat | undefined {
  const endings = name
    .slice(name.lastIndexOf('/') + 1)
    .toLowerCase()
    .split('.')
    .slice(1);
  if (compressionExtensions.has(endings.at(-1) ?? '')) {
    endings.pop();
  }
  return formatOfExtension[endings.at(-1) ?? ''];
}

/** The engine's word for it. */
export function engineCompression(compression: ObjectCompression = 'auto'): string {
  return {
    auto: 'auto',
    none: 'none',
    gzip: 'gzip',
    gz: 'gzip',
    brotli: 'br',
    br: 'br',
    xz: 'xz',
    LZMA: 'xz',
    zstd: 'zstd',
  }[compression];
}

/** Whether the engine reads it as a zstd stream. */
export const isZstd = (name: string, compression: ObjectCompression = 'auto'): boolean =>
  compression === 'auto' ? /\.(?:zst|zstd)$/i.test(name) : compression === 'zstd';

/** Columns are told by a header line of every object. */
export const hasHeader = (format: ObjectFormat): boolean => format.endsWith('WithNames');
/** Columns are told by their order, unless a first line names them. */
export const isOrdered = (format: ObjectFormat): boolean =>
  format === 'CSV' || format === 'TabSeparated';
/** Values can lie inside others, as members of tuples. In Avro they can too, but there the engine wants whole tuples, and takes a name with dots for a path. */
export const hasTuples = (format: ObjectFormat): boolean =>
  format === 'JSONEachRow' || format === 'Parquet';
