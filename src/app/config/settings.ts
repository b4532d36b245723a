import { z } from 'zod';
import { allRoles } from './roles.ts';
import {
  addresses,
  flag,
  list,
  port,
  rateLimit,
  regions,
  serverUrls,
  subset,
  text,
  urlOf,
  uuid,
  whole,
} from './value-schemas.ts';

export interface Setting {
  schema: z.ZodType;
  /** As text, as it would be written; absent: unset. */
  fallback?: string;
  meaning: string;
  group: string;
  secret?: boolean;
}

type More<F> = { fallback?: F; secret?: boolean };
const setting = <S extends z.ZodType, const M extends More<string> = object>(
  group: string,
  schema: S,
  meaning: string,
  more?: M,
) => ({ group, schema, meaning, ...(more as M) });

/**
 * Every setting there is: its variable, check, default and meaning. docs/config.md is generated
 * from this table.
 */
export const settings = {
  SIGHTLINE_CONFIG_FILE: setting(
    'General',
    text,
    'Path of a file with NAME=value lines for any of these settings. Environment variables override the file.',
  ),
  SIGHTLINE_HOST: setting(
    'General',
    text.min(1),
    'Address that the listeners bind to. Set 0.0.0.0 to accept connections from other machines.',
    { fallback: '127.0.0.1' },
  ),
  SIGHTLINE_PUBLIC_URL: setting(
    'General',
    urlOf('http:', 'https:')
      .transform((value) => value.replace(/[/?#]+$/, ''))
      .refine(
        (value) => !/[?#@]/.test(value),
        'must be a URL without user, query or fragment, such as https://sightline.example.com',
      ),
    'Public URL of the web interface, used for links in notifications. ' +
      'If unset, it is derived from SIGHTLINE_HOST and SIGHTLINE_UI_PORT. ' +
      'If that port is 0, notifications have no links.',
  ),
  SIGHTLINE_ROLES: setting(
    'General',
    subset(allRoles),
    'Roles of this process, comma-separated: api, ui, ingest (OTLP), alerts (evaluation and delivery), pipes.',
    { fallback: allRoles.join(',') },
  ),
  SIGHTLINE_DEPLOYMENT: setting(
    'General',
    z.enum(['all', 'open-source', 'managed'], 'must be all, open-source or managed'),
    'API surfaces to serve: open-source (/api/v2), managed (/v1) or all.',
    { fallback: 'all' },
  ),
  SIGHTLINE_LOG_LEVEL: setting(
    'General',
    z.enum(
      ['debug', 'info', 'warn', 'error', 'silent'],
      'must be debug, info, warn, error or silent',
    ),
    'Minimum severity of log lines on standard error: debug, info, warn, error or silent.',
    { fallback: 'info' },
  ),

  SIGHTLINE_API_PORT: setting(
    'Ports',
    port,
    'Port of the REST API. For every port, 0 selects a free port and prints it.',
    { fallback: '8000' },
  ),
  SIGHTLINE_UI_PORT: setting(
    'Ports',
    port,
    'Port of the web interface. It always serves both API surfaces, regardless of SIGHTLINE_DEPLOYMENT.',
    { fallback: '8080' },
  ),
  SIGHTLINE_OTLP_HTTP_PORT: setting('Ports', port, 'Port for OTLP over HTTP.', {
    fallback: '4318',
  }),
  SIGHTLINE_OTLP_GRPC_PORT: setting('Ports', port, 'Port for OTLP over gRPC.', {
    fallback: '4317',
  }),

  SIGHTLINE_DATA_DIR: setting(
    'Storage',
    text.min(1),
    'Directory of the embedded store, the embedded engine and the secret key. Only one process can use it at a time.',
    { fallback: './data' },
  ),
  SIGHTLINE_DATABASE_URL: setting(
    'Storage',
    urlOf('postgres:', 'postgresql:'),
    'URL of a PostgreSQL database for metadata. If unset, the embedded SQLite is used.',
    { secret: true },
  ),
  SIGHTLINE_CLICKHOUSE_URL: setting(
    'Storage',
    serverUrls,
    'HTTP URL of a ClickHouse server for telemetry. If unset, the embedded engine is used. ' +
      'For a cluster with several shards: a URL of each shard, comma-separated.',
    { secret: true },
  ),
  SIGHTLINE_ENGINE_MEMORY_MIB: setting(
    'Storage',
    whole(512, 4_194_304),
    'Maximum memory of the embedded engine in MiB (512–4194304). ' +
      'If unset, half of the memory of the machine or container. ' +
      'Queries past the limit fail; the engine keeps running.',
  ),
  SIGHTLINE_CLICKHOUSE_CLUSTER: setting(
    'Storage',
    text.regex(/^\w{1,64}$/, 'must be a cluster name'),
    'Name of the ClickHouse cluster, as in remote_servers of its servers. ' +
      'With one shard, the tables are created ON CLUSTER with replicated engines. ' +
      'With several shards, each shard has its own tables, and the shards cannot have replicas.',
  ),
  SIGHTLINE_CLICKHOUSE_DATABASE: setting(
    'Storage',
    text.regex(/^[A-Za-z_]\w{0,63}$/, 'must be a database name of letters, digits and _'),
    'Telemetry database of the first workspace.',
    { fallback: 'default' },
  ),
  SIGHTLINE_SECRET_KEY: setting(
    'Storage',
    text.min(1),
    'Key that encrypts stored secrets (AES-256-GCM): 32 bytes as 64 hexadecimal digits ' +
      'or base64. ' +
      'Required with SIGHTLINE_DATABASE_URL. With the embedded store, ' +
      'the server generates the key in the data directory (mode 0600).',
    { secret: true },
  ),
  SIGHTLINE_PREVIOUS_SECRET_KEY: setting(
    'Storage',
    text.min(1),
    'Key that SIGHTLINE_SECRET_KEY replaces. The server uses it for secrets that the new key ' +
      'cannot decrypt. Remove it after `sightline admin rotate-secret-key`.',
    { secret: true },
  ),
  SIGHTLINE_RETENTION_DAYS_LOGS: setting(
    'Storage',
    whole(0, 36_500),
    'Retention of logs in days (0–36500); 0 keeps them forever.',
    { fallback: '30' },
  ),
  SIGHTLINE_RETENTION_DAYS_TRACES: setting(
    'Storage',
    whole(0, 36_500),
    'Retention of traces in days (0–36500); 0 keeps them forever.',
    { fallback: '30' },
  ),
  SIGHTLINE_RETENTION_DAYS_METRICS: setting(
    'Storage',
    whole(0, 36_500),
    'Retention of metrics in days (0–36500); 0 keeps them forever.',
    { fallback: '90' },
  ),

  SIGHTLINE_OTLP_SYNC: setting(
    'Storage',
    flag,
    'Sync telemetry to the disk before it is acknowledged, so that it survives a power cut. ' +
      'If false, a power cut can lose telemetry of the last minute; a crash of the process still loses nothing. ' +
      'Pipes always sync.',
    { fallback: 'true' },
  ),

  SIGHTLINE_QUERY_TIMEOUT_MS: setting(
    'Queries',
    whole(100, 3_600_000),
    'Time limit of a chart or search query, in milliseconds (100–3600000).',
    { fallback: '30000' },
  ),
  SIGHTLINE_EXPORT_TIMEOUT_MS: setting(
    'Queries',
    whole(100, 3_600_000),
    'Time limit of an export of rows, until its last byte is sent, in milliseconds (100–3600000).',
    { fallback: '600000' },
  ),
  SIGHTLINE_RATE_LIMIT: setting(
    'Requests',
    rateLimit,
    'Maximum number of requests per time window and credential, such as 1000/10s. ' +
      'Requests without a credential count by address. `off` disables the limit. ' +
      'Each process counts for itself, so the limits of several processes add up.',
    { fallback: '1000/10s' },
  ),
  SIGHTLINE_TRUSTED_PROXIES: setting(
    'Requests',
    addresses,
    'Proxies whose X-Forwarded-For header is trusted: addresses and CIDR blocks, comma-separated.',
    { fallback: '' },
  ),
  SIGHTLINE_CORS_ORIGINS: setting(
    'Requests',
    list,
    'Browser origins that can call the API and the OTLP receiver (CORS), comma-separated; * allows every origin.',
    { fallback: '' },
  ),
  SIGHTLINE_METRICS_ADDRESS: setting(
    'Requests',
    text
      .regex(/^\S+:\d{1,5}$/, 'must be host:port')
      .transform((value) => ({
        host: value.slice(0, value.lastIndexOf(':')).replace(/^\[|\]$/g, ''),
        port: Number(value.slice(value.lastIndexOf(':') + 1)),
      }))
      .refine(({ port }) => port <= 65_535, 'must be host:port, the port from 0 to 65535'),
    'Address (host:port) that serves /metrics. If unset, the API port serves it.',
  ),

  SIGHTLINE_OIDC_ISSUER: setting(
    'Single sign-on',
    urlOf('https:', 'http:'),
    'Issuer URL of an OpenID Connect provider. If set, people can sign in to the web interface with it. ' +
      'Register the redirect URI <SIGHTLINE_PUBLIC_URL>/sign-in/oidc/callback there.',
  ),
  SIGHTLINE_OIDC_CLIENT_ID: setting(
    'Single sign-on',
    text.min(1),
    'Client id at the provider. Required with SIGHTLINE_OIDC_ISSUER.',
  ),
  SIGHTLINE_OIDC_CLIENT_SECRET: setting(
    'Single sign-on',
    text.min(1),
    'Client secret at the provider. If unset, the client is public and protected by PKCE only.',
    { secret: true },
  ),
  SIGHTLINE_OIDC_ALLOWED_DOMAINS: setting(
    'Single sign-on',
    list.transform((domains) => domains.map((domain) => domain.toLowerCase())),
    'Domains of verified e-mail addresses whose owners become members at their first sign-in, comma-separated. ' +
      'If empty, only existing members can sign in.',
    { fallback: '' },
  ),
  SIGHTLINE_OIDC_ROLE_CLAIM: setting(
    'Single sign-on',
    text.min(1),
    'Claim with the roles or groups of a person, such as groups. ' +
      'If set, every sign-in sets the role of the member from it.',
  ),
  SIGHTLINE_OIDC_ADMIN_VALUES: setting(
    'Single sign-on',
    list,
    'Values of SIGHTLINE_OIDC_ROLE_CLAIM that make a person an admin, comma-separated. Everybody else is a member.',
    { fallback: '' },
  ),

  SIGHTLINE_ALERT_TICK_MS: setting(
    'Alerts',
    whole(50, 60_000),
    'Interval between checks for due alerts, in milliseconds (50–60000).',
    { fallback: '1000' },
  ),
  SIGHTLINE_ALERT_INGEST_DELAY_MS: setting(
    'Alerts',
    whole(0, 600_000),
    'Delay between the end of a window and its evaluation, in milliseconds (0–600000). ' +
      'Late telemetry within the delay is counted.',
    { fallback: '5000' },
  ),
  SIGHTLINE_ALERT_DELIVERY_DAYS: setting(
    'Alerts',
    whole(1, 365),
    'Time for which the server keeps delivered and failed notifications, in days (1–365). ' +
      'It keeps at most 10,000 of them for each alert.',
    { fallback: '7' },
  ),

  SIGHTLINE_RETAINED_LOG_WARNING_MIB: setting(
    'Pipes',
    whole(1, 1_048_576),
    "Warn in the pipe's state message once PostgreSQL retains this much WAL (MiB, 1–1048576) for it.",
    { fallback: '4096' },
  ),
  SIGHTLINE_OBJECT_STORAGE_REGIONS: setting(
    'Pipes',
    regions,
    'Regions of S3-compatible services that require one that is not part of their host name: ' +
      'host[:port]=region, comma-separated. ' +
      'For every other host outside AWS, the embedded engine signs requests with us-east-1.',
    { fallback: '' },
  ),

  SIGHTLINE_EGRESS_ALLOW: setting(
    'Egress',
    list,
    'Loopback or private hosts and CIDR blocks that webhooks and pipes can reach, comma-separated.',
    { fallback: '' },
  ),
  SIGHTLINE_ALLOW_HTTP_SOURCES: setting(
    'Egress',
    flag,
    'Allow unencrypted http:// URLs for object storage and schema registries.',
    { fallback: 'false' },
  ),

  SIGHTLINE_CLOUDSTREAM_ENDPOINT: setting(
    'Egress',
    urlOf('http:', 'https:'),
    'URL of a Kinesis-compatible endpoint for cloudstream pipes. If unset, the endpoint of the region is used.',
  ),
  SIGHTLINE_CLOUDSTREAM_STS_ENDPOINT: setting(
    'Egress',
    urlOf('http:', 'https:'),
    'URL of an STS endpoint for assuming the `iamRole` of a cloudstream pipe. ' +
      'If unset, the endpoint of the region is used.',
  ),

  SIGHTLINE_BOOTSTRAP_EMAIL: setting(
    'First start',
    z.email('must be an email address').max(320),
    'E-mail address of the first user. ' +
      'First-start settings apply only while the store is empty. ' +
      'The server generates unset values and prints them until somebody signs in or uses a key.',
  ),
  SIGHTLINE_BOOTSTRAP_PASSWORD: setting(
    'First start',
    z.string().min(8, 'must have at least 8 characters').max(1024),
    'Password of the first user.',
    { secret: true },
  ),
  SIGHTLINE_BOOTSTRAP_ACCESS_KEY: setting(
    'First start',
    text.min(20, 'must have at least 20 characters').max(256),
    'Personal API access key of the first user, for /api/v2.',
    { secret: true },
  ),
  SIGHTLINE_BOOTSTRAP_INGESTION_KEY: setting(
    'First start',
    text.min(20, 'must have at least 20 characters').max(256),
    'Ingestion key for telemetry senders.',
    { secret: true },
  ),
  SIGHTLINE_BOOTSTRAP_ORGANIZATION_ID: setting(
    'First start',
    uuid,
    'Id of the first organization, for /v1.',
  ),
  SIGHTLINE_BOOTSTRAP_SERVICE_ID: setting(
    'First start',
    uuid,
    "Id of the first organization's service.",
  ),
  SIGHTLINE_BOOTSTRAP_KEY_ID: setting(
    'First start',
    text.regex(
      /^[\x21-\x39\x3b-\x7e]{8,256}$/,
      'must be 8 to 256 printable characters without a colon',
    ),
    "Id of the first organization's API key, which has the role admin, for /v1.",
  ),
  SIGHTLINE_BOOTSTRAP_KEY_SECRET: setting(
    'First start',
    text.min(20, 'must have at least 20 characters').max(256),
    "Secret of the first organization's API key.",
    { secret: true },
  ),
} satisfies Record<string, Setting>;
