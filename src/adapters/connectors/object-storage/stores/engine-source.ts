import type {
  ObjectFormat,
  ObjectStorageSourceInput,
} from '../../../../contract/pipe/object-storage.ts';
import { identifier, join, sql, type Sql } from '../../../../sql/sql.ts';
import { fieldStructure } from '../formats/field-structure.ts';
import { hasPattern } from '../listing/glob.ts';
import { groupsToList, type NameGroup, type NearNames } from '../listing/near-names.ts';
import {
  connectionStringAt,
  type BucketAddress,
  type ContainerAddress,
  type ObjectAddress,
} from './object-address.ts';
import { engineCompression, hasHeader, isOrdered } from '../formats/object-format.ts';
import type { Column } from '../../../../ports/telemetry.ts';

/** Credentials that the engine reads with. */
export interface EngineCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

export interface EngineRead {
  address: ObjectAddress;
  /** Scheme, host and port the engine is to use: the service's, one of its addresses, or a relay. */
  endpoint: string;
  credentials: EngineCredentials | undefined;
  source: Pick<ObjectStorageSourceInput, 'compression' | 'delimiter'>;
  format: ObjectFormat;
  fields: readonly Column[];
  cluster: string | undefined;
  /** What was listed around these objects, where that is known. */
  near?: NearNames | undefined;
}

/**
 * The FROM clause for these objects. Gives the fields, `_path`, `_filled` and, with versions,
 * `_etag`. Every value is quoted, and no name is read as a pattern: the engine would take a pattern
 * even from a comparison with `_path` itself.
 */
export function engineSource(
  read: EngineRead,
  names: readonly string[],
  withVersions = false,
): Sql {
  const { address } = read;
  const structure = fieldStructure(read.fields, read.format, withVersions);
  const regular = names.filter((name) => !isOdd(name));
  const groups =
    read.near && address.kind === 's3' && read.cluster === undefined
      ? groupsToList(regular, read.near)
      : [];
  const listed = new Set(groups.flatMap((group) => group.names));
  const plain = regular.filter((name) => !listed.has(name));
  const odd = names.filter(isOdd);
  const rowsOf = (pattern: string): Sql => {
    const table =
      address.kind === 's3'
        ? bucketTable(read, address, pattern, structure.text)
        : containerTable(read, address, pattern, structure.text);
    return sql`SELECT ${structure.select} FROM ${table}`;
  };
  const keysOf = (some: readonly string[]): string[] => some.map((name) => keyText(address, name));
  const selects = [
    ...groups.map((group) => {
      const all = rowsOf(`${keyText(address, group.prefix)}**`);
      return sql`${all} WHERE ${isInGroup(address, group)}`;
    }),
    ...(plain.length > 0 ? [rowsOf(onePattern(keysOf(plain)))] : []),
    ...odd.map((name) => {
      const similar = rowsOf(keyText(address, name));
      return sql`${similar} WHERE concat(_path, '') = ${enginePath(address, name)}`;
    }),
  ];
  return sql`(${join(selects, ' UNION ALL ')})`;
}

/**
 * The FROM clause for one object with the columns that the engine finds in it. JSON gives one
 * column, `json`, with the text of each record.
 */
export function peekSource(read: Omit<EngineRead, 'fields'>, name: string): Sql {
  const { address } = read;
  const isJson = read.format === 'JSONEachRow';
  const format = isJson ? 'JSONAsString' : read.format;
  const structure = isJson ? '`json` String' : 'auto';
  const key = keyText(address, name);
  const table =
    address.kind === 's3'
      ? bucketTable({ ...read, format }, address, key, structure)
      : containerTable({ ...read, format }, address, key, structure);
  return isOdd(name)
    ? sql`(SELECT * FROM ${table} WHERE concat(_path, '') = ${enginePath(address, name)})`
    : table;
}

/**
 * The engine lists all names with this prefix, and drops the others before it reads anything. Given
 * the names, it would ask for the size of each object first; a comparison with `_path` itself would
 * do the same.
 */
function isInGroup(address: ObjectAddress, { prefix, names }: NameGroup): Sql {
  const begin = Buffer.byteLength(enginePath(address, prefix)) + 1;
  return sql`substring(_path, ${begin}) IN (${join(
    names.map((name) => sql`${name.slice(prefix.length)}`),
    ', ',
  )})`;
}

/** The engine's name for an object. */
export function enginePath(address: ObjectAddress, name: string): string {
  return `${address.kind === 's3' ? address.bucket : address.container}/${name}`;
}

/**
 * Settings for reading objects of a format, independent of the server's defaults, with time-outs of
 * the source.
 */
export function engineSettings({
  address,
  source,
  format,
}: Pick<EngineRead, 'address' | 'source' | 'format'>): Sql {
  const header = isOrdered(format) ? 1 : 0;
  const { delimiter = ',' } = source;
  return join(
    [
      sql`input_format_skip_unknown_fields = 1`,
      sql`input_format_null_as_default = 1`,
      sql`input_format_defaults_for_omitted_fields = 1`,
      sql`input_format_with_names_use_header = 1`,
      sql`input_format_allow_errors_num = 0`,
      sql`input_format_allow_errors_ratio = 0`,
      sql`date_time_input_format = 'best_effort'`,
      sql`input_format_import_nested_json = 0`,
      sql`input_format_parquet_allow_missing_columns = 1`,
      sql`input_format_avro_allow_missing_fields = 1`,
      sql`input_format_csv_detect_header = ${header}`,
      sql`input_format_tsv_detect_header = ${header}`,
      sql`input_format_tsv_crlf_end_of_line = 1`,
      sql`format_csv_delimiter = ${delimiter}`,
      // The engine refuses a blank delimiter without this. With it, it keeps blanks around values
      // even if they separate nothing.
      ...(/[ \t]/.test(delimiter)
        ? [sql`input_format_csv_allow_whitespace_or_tab_as_delimiter = 1`]
        : []),
      ...(address.kind === 's3' ? bucketSettings : containerSettings),
    ],
    ', ',
  );
}

const bucketSettings = [
  sql`s3_retry_attempts = 4`,
  sql`s3_connect_timeout_ms = 5000`,
  sql`s3_request_timeout_ms = 30000`,
  sql`s3_max_redirects = 0`,
  sql`s3_skip_empty_files = 1`,
];
const containerSettings = [
  sql`azure_sdk_max_retries = 4`,
  sql`azure_max_single_read_retries = 4`,
  sql`azure_max_redirects = 0`,
  sql`azure_skip_empty_files = 1`,
];

/** Why an object without any value is refused. Undefined: an empty object cannot be detected. */
export function emptyReason(fields: readonly Column[], format: ObjectFormat): string | undefined {
  return hasHeader(format) && fieldStructure(fields, format).tells
    ? 'its header names none of the fields of the pipe'
    : undefined;
}

/** Names with characters that the engine reads as a pattern, or as the end of an alternative. */
const isOdd = (name: string): boolean => hasPattern(name) || name.includes(',');

/** A key for the engine. `?` replaces pattern characters; the exact name is compared besides. */
function keyText({ kind }: ObjectAddress, name: string): string {
  if (kind !== 's3') {
    return hasPattern(name) ? name.replace(/[?*{}]/g, '?') : name;
  }
  // The engine encodes a URL that contains `?`, except for the sign that begins a fragment, and
  // refuses one with blanks or letters beyond ASCII. It does not encode others.
  return hasPattern(name)
    ? name.replace(/[?*{}#]|[^!-~]/gu, '?')
    : name.split('/').map(encodeURIComponent).join('/');
}

/** One pattern that matches exactly these keys. */
function onePattern(keys: readonly string[]): string {
  const [first = ''] = keys;
  if (keys.length === 1) {
    return first;
  }
  let prefix = first;
  for (const key of keys) {
    while (!key.startsWith(prefix)) {
      prefix = prefix.slice(0, -1);
    }
  }
  // The cut is never inside a character, nor inside its `%` form.
  prefix = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  return `${prefix}{${keys.map((key) => key.slice(prefix.length)).join(',')}}`;
}

/** How the engine reads a table of objects, in a format of its own naming. */
type TableRead = Omit<EngineRead, 'fields' | 'format'> & { format: string };

function bucketTable(
  { endpoint, credentials, source, format, cluster }: TableRead,
  address: BucketAddress,
  key: string,
  structure: string,
): Sql {
  const base = address.virtualHost
    ? endpoint.replace('://', `://${address.bucket}.`)
    : `${endpoint}/${address.bucket}`;
  const identity = credentials
    ? [
        sql`${credentials.accessKeyId}`,
        sql`${credentials.secretAccessKey}`,
        ...(credentials.sessionToken === undefined ? [] : [sql`${credentials.sessionToken}`]),
      ]
    : [sql`NOSIGN`];
  const values = join(
    [
      sql`${`${base}/${key}`}`,
      ...identity,
      sql`${format}`,
      sql`${structure}`,
      sql`${engineCompression(source.compression)}`,
    ],
    ', ',
  );
  return cluster === undefined
    ? sql`s3(${values})`
    : sql`s3Cluster(${identifier(cluster)}, ${values})`;
}

function containerTable(
  { endpoint, source, format, cluster }: TableRead,
  { connectionString, container, endpoint: service }: ContainerAddress,
  path: string,
  structure: string,
): Sql {
  const compression = engineCompression(source.compression);
  const connection =
    endpoint === service ? connectionString : connectionStringAt(connectionString, endpoint);
  const values = join(
    [connection, container, path, format, compression, structure].map((one) => sql`${one}`),
    ', ',
  );
  return cluster === undefined
    ? sql`azureBlobStorage(${values})`
    : sql`azureBlobStorageCluster(${identifier(cluster)}, ${values})`;
}
