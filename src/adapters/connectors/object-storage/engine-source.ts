import type {
  ObjectFormat,
  ObjectStorageSourceInput,
} from '../../../contract/pipe/object-storage.ts';
import { identifier, join, sql, type Sql } from '../../../sql/sql.ts';
import { fieldStructure } from './field-structure.ts';
import { hasPattern } from './glob.ts';
import { groupsToList, type NameGroup, type NearNames } from './near-names.ts';
import type { BucketAddress, ContainerAddress, ObjectAddress } from './object-address.ts';
import { engineCompression, hasHeader, isOrdered } from './object-format.ts';
import type { Column } from '../../../ports/telemetry.ts';

/** Who the engine reads as. Undefined: nobody. */
export interface EngineCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

export interface EngineRead {
  address: ObjectAddress;
  /** Scheme, host and port the engine is to use: the service's, or one of its addresses. */
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
 * What stands after FROM for these objects, with the fields, `_path`, `_filled` and, where asked for, `_etag`. Every value is quoted; no name is read as a pattern:
 * the engine would take one even from a comparison with `_path` itself.
 */
export function engineSource(
  read: EngineRead,
  names: readonly string[],
  withVersions = false,
): Sql {
  const structure = fieldStructure(read.fields, read.format, withVersions);
  const regular = names.filter((name) => !isOdd(name));
  const groups =
    read.near && read.address.kind === 's3' && read.cluster === undefined
      ? groupsToList(regular, read.near)
      : [];
  const listed = new Set(groups.flatMap((group) => group.names));
  const plain = regular.filter((name) => !listed.has(name));
  const odd = names.filter(isOdd);
  const table = (pattern: string): Sql =>
    read.address.kind === 's3'
      ? bucketTable(read, read.address, pattern, structure.text)
      : containerTable(read, read.address, pattern, structure.text);
  const selects = [
    ...groups.map(
      (group) =>
        sql`SELECT ${structure.select} FROM ${table(`${keyText(read.address, group.prefix)}**`)} WHERE ${isOf(read.address, group)}`,
    ),
    ...(plain.length > 0
      ? [
          sql`SELECT ${structure.select} FROM ${table(together(plain.map((name) => keyText(read.address, name))))}`,
        ]
      : []),
    ...odd.map(
      (name) =>
        sql`SELECT ${structure.select} FROM ${table(keyText(read.address, name))} WHERE concat(_path, '') = ${enginePath(read.address, name)}`,
    ),
  ];
  return sql`(${join(selects, ' UNION ALL ')})`;
}

/**
 * The engine lists what begins like these, and leaves out the others before it reads anything. Asked for by name it would ask for the size of each
 * object first. A comparison with `_path` itself would do the same.
 */
function isOf(address: ObjectAddress, { prefix, names }: NameGroup): Sql {
  const begin = Buffer.byteLength(enginePath(address, prefix)) + 1;
  return sql`substring(_path, ${begin}) IN (${join(
    names.map((name) => sql`${name.slice(prefix.length)}`),
    ', ',
  )})`;
}

/** What the engine calls an object. */
export function enginePath(address: ObjectAddress, name: string): string {
  return `${address.kind === 's3' ? address.bucket : address.container}/${name}`;
}

/** How objects of a format are read, whatever the server's own defaults are, and how long the source may take to answer. */
export function engineSettings({
  address,
  source,
  format,
}: Pick<EngineRead, 'address' | 'source' | 'format'>): Sql {
  const header = isOrdered(format) ? 1 : 0;
  const { delimiter = ',' } = source;
  return join(
    [
      sql`input_format_skip_unknown_fields = 1, input_format_null_as_default = 1, input_format_defaults_for_omitted_fields = 1, input_format_with_names_use_header = 1`,
      sql`input_format_allow_errors_num = 0, input_format_allow_errors_ratio = 0, date_time_input_format = 'best_effort', input_format_import_nested_json = 0`,
      sql`input_format_parquet_allow_missing_columns = 1, input_format_avro_allow_missing_fields = 1`,
      sql`input_format_csv_detect_header = ${header}, input_format_tsv_detect_header = ${header}, input_format_tsv_crlf_end_of_line = 1, format_csv_delimiter = ${delimiter}`,
      // Without it the engine refuses these; with it, it keeps blanks around values where they separate nothing.
      ...(/[ \t]/.test(delimiter)
        ? [sql`input_format_csv_allow_whitespace_or_tab_as_delimiter = 1`]
        : []),
      address.kind === 's3'
        ? sql`s3_retry_attempts = 4, s3_connect_timeout_ms = 5000, s3_request_timeout_ms = 30000, s3_max_redirects = 0, s3_skip_empty_files = 1`
        : sql`azure_sdk_max_retries = 4, azure_max_single_read_retries = 4, azure_max_redirects = 0, azure_skip_empty_files = 1`,
    ],
    ', ',
  );
}

/** Why an object without any value is refused, where that can be told. */
export function emptyReason(fields: readonly Column[], format: ObjectFormat): string | undefined {
  return hasHeader(format) && fieldStructure(fields, format).tells
    ? 'its header names none of the fields of the pipe'
    : undefined;
}

/** `?` stands for what would be read as a pattern, or would end an alternative; the exact name is asked for besides. */
const isOdd = (name: string): boolean => hasPattern(name) || name.includes(',');

function keyText({ kind }: ObjectAddress, name: string): string {
  if (kind !== 's3') {
    return hasPattern(name) ? name.replace(/[?*{}]/g, '?') : name;
  }
  // A URL with a `?` in it is encoded by the engine, all but the sign that begins a fragment; without one it is not.
  return hasPattern(name)
    ? name.replace(/[?*{}#]/g, '?')
    : name.split('/').map(encodeURIComponent).join('/');
}

/** One pattern that stands for exactly these. */
function together(keys: readonly string[]): string {
  if (keys.length === 1) {
    return keys[0]!;
  }
  let prefix = keys[0]!;
  for (const key of keys) {
    while (!key.startsWith(prefix)) {
      prefix = prefix.slice(0, -1);
    }
  }
  // Never inside a character, nor inside its `%` form.
  prefix = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  return `${prefix}{${keys.map((key) => key.slice(prefix.length)).join(',')}}`;
}

function bucketTable(
  { endpoint, credentials, source, format, cluster }: EngineRead,
  address: BucketAddress,
  key: string,
  structure: string,
): Sql {
  const base = address.virtualHost
    ? endpoint.replace('://', `://${address.bucket}.`)
    : `${endpoint}/${address.bucket}`;
  const who = credentials
    ? [
        sql`${credentials.accessKeyId}`,
        sql`${credentials.secretAccessKey}`,
        ...(credentials.sessionToken === undefined ? [] : [sql`${credentials.sessionToken}`]),
      ]
    : [sql`NOSIGN`];
  const values = join(
    [
      sql`${`${base}/${key}`}`,
      ...who,
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
  { source, format, cluster }: EngineRead,
  { connectionString, container }: ContainerAddress,
  path: string,
  structure: string,
): Sql {
  const values = sql`${connectionString}, ${container}, ${path}, ${format}, ${engineCompression(source.compression)}, ${structure}`;
  return cluster === undefined
    ? sql`azureBlobStorage(${values})`
    : sql`azureBlobStorageCluster(${identifier(cluster)}, ${values})`;
}
