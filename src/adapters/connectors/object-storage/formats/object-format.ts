import type { ObjectCompression, ObjectFormat } from '../../../../contract/pipe/object-storage.ts';

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
/** Endings that name a compression; the engine reads them itself. */
const compressionExtensions = new Set(['gz', 'gzip', 'br', 'brotli', 'xz', 'lzma', 'zst', 'zstd']);

/** The engine reads a name up to its first line break, which may be the name of another object. */
export const hasLineBreak = (name: string): boolean => name.includes('\n');

/**
 * The format of an object: the pipe's, or the one of its name's ending, before a compression ending.
 * Undefined: unknown, or the object cannot be read. An object without content has any format: such
 * objects mark folders, or say that others are complete.
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
  return formatOfName(name) ?? (bytes === 0 ? 'JSONEachRow' : undefined);
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

/** The engine's name of a compression. */
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

/** Whether the engine reads the object as a zstd stream. */
export const isZstd = (name: string, compression: ObjectCompression = 'auto'): boolean =>
  compression === 'auto' ? /\.(?:zst|zstd)$/i.test(name) : compression === 'zstd';

/** A header line in every object names the columns. */
export const hasHeader = (format: ObjectFormat): boolean => format.endsWith('WithNames');
/** The order of values gives the columns, unless a first line names them. */
export const isOrdered = (format: ObjectFormat): boolean =>
  format === 'CSV' || format === 'TabSeparated';
/**
 * Values can be members of tuples. Avro has them too, but there the engine needs whole tuples, and
 * reads a name with dots as a path.
 */
export const hasTuples = (format: ObjectFormat): boolean =>
  format === 'JSONEachRow' || format === 'Parquet';
