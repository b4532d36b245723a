import { isIP } from 'node:net';

/**
 * Object services whose names all lead to their own machines, so that asking the guard for each
 * connection would guard nothing.
 */
const cloudServices = [
  's3.amazonaws.com',
  'storage.googleapis.com',
  ...[
    'us-east-1',
    'us-east-2',
    'us-west-1',
    'us-west-2',
    'ca-central-1',
    'sa-east-1',
    'eu-central-1',
    'eu-central-2',
    'eu-north-1',
    'eu-south-1',
    'eu-south-2',
    'eu-west-1',
    'eu-west-2',
    'eu-west-3',
    'ap-east-1',
    'ap-northeast-1',
    'ap-northeast-2',
    'ap-northeast-3',
    'ap-south-1',
    'ap-south-2',
    'ap-southeast-1',
    'ap-southeast-2',
    'ap-southeast-3',
    'ap-southeast-4',
    'af-south-1',
    'il-central-1',
    'me-central-1',
    'me-south-1',
  ].map((region) => `s3.${region}.amazonaws.com`),
];

export interface EngineConfiguration {
  /** Port of the HTTP interface, on the loopback address. */
  port: number;
  /** File with the engine's users. */
  usersFile: string;
  /** The most memory the engine may use, in MiB. */
  memoryMib: number;
  /** The only folder that BACKUP writes to and RESTORE reads from. */
  backupFolder?: string | undefined;
  egress?: EgressRules | undefined;
}

export interface EgressRules {
  /** The proxy through which the engine fetches objects. */
  proxyUrl: string;
  /** Hosts, addresses and ranges that the operator allowed. */
  trusted: readonly string[];
  /**
   * Regions to sign requests for, by `host` or `host:port` of services that are not AWS. For other
   * hosts the engine takes the region from an AWS name, else us-east-1.
   */
  regions: Readonly<Record<string, string>>;
}

/** Configuration of the embedded engine, read once when it starts. */
export function engineConfiguration({
  port,
  usersFile,
  memoryMib,
  backupFolder,
  egress,
}: EngineConfiguration): string {
  return [
    '<clickhouse>',
    `<http_port>${port}</http_port><listen_host>127.0.0.1</listen_host>`,
    `<users_config>${escapeXml(usersFile)}</users_config>`,
    `<max_server_memory_usage>${memoryMib * 2 ** 20}</max_server_memory_usage>`,
    '<logger><console>1</console></logger>',
    '<keep_alive_timeout>60</keep_alive_timeout>',
    `<${idleLook}>30</${idleLook}>`,
    `<${keepsDropped}>30</${keepsDropped}>`,
    `<merge_tree>${syncedParts}${compactParts}${fewerMerges}</merge_tree>`,
    backupFolder === undefined
      ? ''
      : `<backups><allowed_path>${escapeXml(backupFolder)}</allowed_path></backups>`,
    egress ? egressXml(egress) : '',
    '</clickhouse>',
  ].join('\n');
}

/**
 * After how many seconds at most the engine looks again at a table without work. Parts that a merge
 * has replaced stay on the disk until then: for ten minutes by default.
 */
const idleLook = 'background_processing_pool_task_sleep_seconds_when_no_work_max';

/**
 * For how many seconds the files of a dropped table stay on the disk, eight minutes by default. Some
 * pipes drop tables with every batch, and nobody undoes a drop.
 */
const keepsDropped = 'database_atomic_delay_before_drop_table_sec';

/**
 * Every part is on the disk before the statement that made it is answered, unless a table says
 * otherwise. Merges too: this engine removes the parts that a merge replaces within half a minute,
 * which can be a second after the merge. The kernel writes files to the disk after 30 s.
 */
const syncedParts = [
  '<fsync_after_insert>1</fsync_after_insert>',
  '<fsync_part_directory>1</fsync_part_directory>',
  '<min_rows_to_fsync_after_merge>1</min_rows_to_fsync_after_merge>',
].join('');

/**
 * Parts of less than 32 MiB in memory are few files each, because an insert syncs every file of its
 * part. A larger part has files for each column.
 */
const compactParts = `<min_bytes_for_wide_part>${32 * 2 ** 20}</min_bytes_for_wide_part>`;

/**
 * How many parts of similar size the engine waits for before it merges them, 5 by default. Merges
 * then cost about as much as inserts. With 8 they write each row less often.
 */
const fewerMerges = '<merge_selector_base>8</merge_selector_base>';

/**
 * S3 is fetched through the proxy, except from hosts that the operator named and from services
 * whose names all lead to their own machines: the engine reads those directly, so that their bytes
 * do not pass through this process twice. A range of addresses cannot be named in `no_proxy`; hosts
 * in one are fetched through the proxy, which lets them pass.
 */
function egressXml({ proxyUrl, trusted, regions }: EgressRules): string {
  const hosts = trusted
    .map((entry) =>
      entry
        .trim()
        .toLowerCase()
        .replace(/^\[(.*)\]$/, '$1')
        .replace(/\/(?:32|128)$/, ''),
    )
    .filter(isHost);
  const endpoints = Object.entries(regions)
    .flatMap(([host, region]) =>
      ['http', 'https'].map(
        (scheme) => `<endpoint>${scheme}://${host}/</endpoint><region>${region}</region>`,
      ),
    )
    .map((text, index) => `<service${index}>${text}</service${index}>`)
    .join('');
  return [
    `<s3>${endpoints}</s3>`,
    `<proxy><http><uri>${proxyUrl}</uri></http><https><uri>${proxyUrl}</uri></https>`,
    `<no_proxy>${[...hosts, ...cloudServices].join(',')}</no_proxy></proxy>`,
  ].join('\n');
}

const isHost = (entry: string): boolean =>
  isIP(entry) !== 0 || /^[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/.test(entry);

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
