import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { parseEnv } from 'node:util';
import { z } from 'zod';

/** Text of an environment variable; the schemas below turn it into values. */
const text = z.string().trim();
const whole = (min: number, max: number) =>
  text
    .regex(/^\d{1,10}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(
      z
        .number()
        .min(min, `must be from ${min} to ${max}`)
        .max(max, `must be from ${min} to ${max}`),
    );
const port = whole(0, 65_535);
const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((value) => value === 'true' || value === '1');
const list = text.transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);
const uuid = z.guid('must be a UUID').toLowerCase();
const urlOf = (...protocols: string[]) =>
  text.refine(
    (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
    `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  );
const subset = <T extends string>(allowed: readonly T[]) =>
  list
    .refine(
      (parts) =>
        parts.length > 0 && parts.every((part) => (allowed as readonly string[]).includes(part)),
      `must be a comma-separated list of ${allowed.join(', ')}`,
    )
    .transform((parts) => parts as T[]);
const addresses = list.refine(
  (parts) => parts.every(isAddressOrBlock),
  'must be a comma-separated list of IP addresses and CIDR blocks',
);

/** `host[:port]=region`, comma-separated. */
const regions = list.transform((parts, context) =>
  Object.fromEntries(
    parts.map((part) => {
      const [, host, region] =
        /^((?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?)=([a-z0-9-]{1,64})$/i.exec(part) ?? [];
      if (host === undefined || region === undefined) {
        context.addIssue({
          code: 'custom',
          message:
            'must be a comma-separated list such as s3.example.com=eu-1,minio.internal:9000=garage',
        });
      }
      return [(host ?? '').toLowerCase(), region ?? ''] as const;
    }),
  ),
);

export const allRoles = ['api', 'ui', 'ingest', 'alerts', 'pipes'] as const;
export type Role = (typeof allRoles)[number];

/** `<requests>/<seconds>s`, or `off`. */
const rateLimit = text.transform((value, context) => {
  if (value === 'off') {
    return 'off' as const;
  }
  const match = /^([1-9]\d{0,8})\/([1-9]\d{0,4})s$/.exec(value);
  if (match) {
    return { requests: Number(match[1]), windowMs: Number(match[2]) * 1000 };
  }
  context.addIssue({
    code: 'custom',
    message: 'must be off, or requests per seconds such as 1000/10s',
  });
  return z.NEVER;
});

interface Setting {
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

/** Every setting there is: its variable, check, default and meaning. docs/config.md is generated from this table. */
export const settings = {
  SIGHTLINE_CONFIG_FILE: setting(
    'General',
    text,
    'A file of NAME=value lines with any of these settings. The environment wins over it.',
  ),
  SIGHTLINE_HOST: setting(
    'General',
    text.min(1),
    'Address the listeners bind to. Set 0.0.0.0 to be reachable from other machines.',
    { fallback: '127.0.0.1' },
  ),
  SIGHTLINE_PUBLIC_URL: setting(
    'General',
    urlOf('http:', 'https:')
      .transform((value) => value.replace(/[/?#]+$/, ''))
      .refine(
        (value) => !/[?#@]/.test(value),
        'must be an address without user, query or fragment, such as https://sightline.example.com',
      ),
    'Where people reach the interface, for links in notifications. Derived from SIGHTLINE_HOST and SIGHTLINE_UI_PORT where unset; without links where that port is 0.',
  ),
  SIGHTLINE_ROLES: setting(
    'General',
    subset(allRoles),
    'What this process does, comma-separated: api, ui, ingest (OTLP), alerts (evaluation and delivery), pipes.',
    { fallback: allRoles.join(',') },
  ),
  SIGHTLINE_DEPLOYMENT: setting(
    'General',
    z.enum(['all', 'open-source', 'managed'], 'must be all, open-source or managed'),
    'Which surfaces the API routes: /api/v2 (open-source), /v1 (managed), or all.',
    { fallback: 'all' },
  ),
  SIGHTLINE_LOG_LEVEL: setting(
    'General',
    z.enum(
      ['debug', 'info', 'warn', 'error', 'silent'],
      'must be debug, info, warn, error or silent',
    ),
    'Least severity of the log on standard error: debug, info, warn, error, silent.',
    { fallback: 'info' },
  ),

  SIGHTLINE_API_PORT: setting(
    'Ports',
    port,
    'REST API. 0 takes any free port and prints it, as for every port.',
    { fallback: '8000' },
  ),
  SIGHTLINE_UI_PORT: setting('Ports', port, 'Web interface. Reserved: this release has none yet.', {
    fallback: '8080',
  }),
  SIGHTLINE_OTLP_HTTP_PORT: setting('Ports', port, 'OTLP over HTTP.', { fallback: '4318' }),
  SIGHTLINE_OTLP_GRPC_PORT: setting('Ports', port, 'OTLP over gRPC.', { fallback: '4317' }),

  SIGHTLINE_DATA_DIR: setting(
    'Storage',
    text.min(1),
    'Directory of the embedded store, the embedded engine and the secret key. One process at a time.',
    { fallback: './data' },
  ),
  SIGHTLINE_DATABASE_URL: setting(
    'Storage',
    urlOf('postgres:', 'postgresql:'),
    'PostgreSQL for metadata instead of the embedded SQLite.',
    { secret: true },
  ),
  SIGHTLINE_CLICKHOUSE_URL: setting(
    'Storage',
    urlOf('http:', 'https:'),
    'ClickHouse HTTP address for telemetry instead of the embedded engine.',
    { secret: true },
  ),
  SIGHTLINE_CLICKHOUSE_CLUSTER: setting(
    'Storage',
    text.regex(/^\w{1,64}$/, 'must be a cluster name'),
    'Cluster whose nodes get the tables (ON CLUSTER, replicated engines).',
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
    'Key that seals stored secrets (AES-256-GCM): 32 bytes as 64 hexadecimal digits or base64. Made in the data directory (mode 0600) when the store is embedded; required with SIGHTLINE_DATABASE_URL.',
    { secret: true },
  ),
  SIGHTLINE_RETENTION_DAYS_LOGS: setting(
    'Storage',
    whole(0, 36_500),
    'Days that logs are kept; 0 keeps them for ever.',
    { fallback: '30' },
  ),
  SIGHTLINE_RETENTION_DAYS_TRACES: setting(
    'Storage',
    whole(0, 36_500),
    'Days that traces are kept; 0 keeps them for ever.',
    { fallback: '30' },
  ),
  SIGHTLINE_RETENTION_DAYS_METRICS: setting(
    'Storage',
    whole(0, 36_500),
    'Days that metrics are kept; 0 keeps them for ever.',
    { fallback: '90' },
  ),

  SIGHTLINE_QUERY_TIMEOUT_MS: setting(
    'Queries',
    whole(100, 3_600_000),
    'Time a chart or search may take.',
    { fallback: '30000' },
  ),
  SIGHTLINE_RATE_LIMIT: setting(
    'Requests',
    rateLimit,
    'Requests per window and credential (else address), such as 1000/10s; off for none.',
    { fallback: '1000/10s' },
  ),
  SIGHTLINE_TRUSTED_PROXIES: setting(
    'Requests',
    addresses,
    'Addresses and CIDR blocks whose X-Forwarded-For is believed.',
    { fallback: '' },
  ),
  SIGHTLINE_CORS_ORIGINS: setting(
    'Requests',
    list,
    'Origins of browsers that may call the API and the OTLP receiver, comma-separated; * for any.',
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
    'Serve /metrics here (host:port) instead of on the API port.',
  ),

  SIGHTLINE_ALERT_TICK_MS: setting(
    'Alerts',
    whole(50, 60_000),
    'How often due alerts are looked for.',
    { fallback: '1000' },
  ),
  SIGHTLINE_ALERT_INGEST_DELAY_MS: setting(
    'Alerts',
    whole(0, 600_000),
    'How long after its end a window is evaluated, so that late telemetry counts.',
    { fallback: '5000' },
  ),

  SIGHTLINE_RETAINED_LOG_WARNING_MIB: setting(
    'Pipes',
    whole(1, 1_048_576),
    "From so much log on (MiB) that a PostgreSQL server keeps for a pipe, the pipe's state message says so.",
    { fallback: '4096' },
  ),
  SIGHTLINE_OBJECT_STORAGE_REGIONS: setting(
    'Pipes',
    regions,
    'Regions of S3-compatible services that insist on one which their host name does not tell, comma-separated, as host[:port]=region. The embedded engine signs us-east-1 for every host that is not here and not of AWS.',
    { fallback: '' },
  ),

  SIGHTLINE_EGRESS_ALLOW: setting(
    'Egress',
    list,
    'Hosts and CIDR blocks that webhooks and pipes may reach although loopback or private, comma-separated.',
    { fallback: '' },
  ),
  SIGHTLINE_ALLOW_HTTP_SOURCES: setting(
    'Egress',
    flag,
    'Allow plain http for object storage and schema registries.',
    { fallback: 'false' },
  ),

  SIGHTLINE_CLOUDSTREAM_ENDPOINT: setting(
    'Egress',
    urlOf('http:', 'https:'),
    "Address of a Kinesis-compatible endpoint for cloudstream pipes instead of the region's own.",
  ),
  SIGHTLINE_CLOUDSTREAM_STS_ENDPOINT: setting(
    'Egress',
    urlOf('http:', 'https:'),
    'The same for assuming the iamRole of a cloudstream pipe.',
  ),

  SIGHTLINE_BOOTSTRAP_EMAIL: setting(
    'First start',
    z.email('must be an email address').max(320),
    'Email of the first user. First-start settings matter only while the store is empty; what is not set is made up and printed once.',
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
    'Personal API access key of the first user (/api/v2).',
    { secret: true },
  ),
  SIGHTLINE_BOOTSTRAP_INGESTION_KEY: setting(
    'First start',
    text.min(20, 'must have at least 20 characters').max(256),
    'Key that telemetry senders use.',
    { secret: true },
  ),
  SIGHTLINE_BOOTSTRAP_ORGANIZATION_ID: setting(
    'First start',
    uuid,
    'Id of the first organization (/v1).',
  ),
  SIGHTLINE_BOOTSTRAP_SERVICE_ID: setting('First start', uuid, 'Id of its service.'),
  SIGHTLINE_BOOTSTRAP_KEY_ID: setting(
    'First start',
    text.regex(
      /^[\x21-\x39\x3b-\x7e]{8,256}$/,
      'must be 8 to 256 printable characters without a colon',
    ),
    'Id of the first organization API key, role admin (/v1).',
  ),
  SIGHTLINE_BOOTSTRAP_KEY_SECRET: setting(
    'First start',
    text.min(20, 'must have at least 20 characters').max(256),
    'Secret of that key.',
    { secret: true },
  ),
} satisfies Record<string, Setting>;

type Settings = typeof settings;
type Name = keyof Settings;
type ValueOf<N extends Name> = Settings[N] extends { readonly fallback: string }
  ? z.output<Settings[N]['schema']>
  : z.output<Settings[N]['schema']> | undefined;
type Camel<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}`
  : Lowercase<S>;

/** What `sightline query` reads; no business of the server's. */
const ofTheShell = new Set(['SIGHTLINE_URL', 'SIGHTLINE_ACCESS_KEY']);

/** The validated settings, named after their variables: SIGHTLINE_API_PORT is `apiPort`. */
export type Config = {
  [N in Name as N extends `SIGHTLINE_${infer Rest}` ? Camel<Rest> : never]: ValueOf<N>;
};

/** Where the interface answers, without a slash at its end; empty where that is not known before it listens. */
export function publicUrlOf({
  publicUrl,
  host,
  uiPort,
}: Pick<Config, 'publicUrl' | 'host' | 'uiPort'>): string {
  if (publicUrl !== undefined) {
    return publicUrl;
  }
  if (uiPort === 0) {
    return '';
  }
  const anywhere = host === '0.0.0.0' || host === '::';
  return `http://${anywhere ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host}:${uiPort}`;
}

/** Every mistake in the configuration at once. The message has a line for each and never a value of a secret. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads and checks all settings. Empty variables count as unset.
 * @throws ConfigError naming every mistake.
 */
export function readConfig(environment: Record<string, string | undefined>): {
  config: Config;
  warnings: string[];
} {
  const { values, problems } = withFile(environment);
  const entries = Object.entries(settings as Record<string, Setting>).map(
    ([name, { schema, fallback, secret }]) => {
      const given = values[name] === '' ? undefined : values[name];
      const parsed =
        given === undefined && fallback === undefined
          ? { success: true as const, data: undefined }
          : schema.safeParse(given ?? fallback);
      if (!parsed.success) {
        problems.push(
          `${name} ${parsed.error.issues[0]!.message}${secret ? '' : ` (it is ${JSON.stringify(given)})`}`,
        );
      }
      return [camel(name), parsed.success ? parsed.data : undefined];
    },
  );
  const config = Object.fromEntries(entries) as Config;
  if (problems.length === 0) {
    problems.push(...crossChecks(config));
  }
  if (problems.length > 0) {
    throw new ConfigError(problems);
  }
  return {
    config,
    warnings: Object.keys(values)
      .filter(
        (name) => name.startsWith('SIGHTLINE_') && !(name in settings) && !ofTheShell.has(name),
      )
      .map((name) => `${name} is not a setting of Sightline and is ignored${suggestion(name)}`),
  };
}

function withFile(environment: Record<string, string | undefined>): {
  values: Record<string, string | undefined>;
  problems: string[];
} {
  const path = environment['SIGHTLINE_CONFIG_FILE'];
  if (!path) {
    return { values: environment, problems: [] };
  }
  try {
    return { values: { ...parseEnv(readFileSync(path, 'utf8')), ...environment }, problems: [] };
  } catch (error) {
    return {
      values: environment,
      problems: [
        `SIGHTLINE_CONFIG_FILE cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'error'} (${path})`,
      ],
    };
  }
}

function crossChecks(config: Config): string[] {
  const problems: string[] = [];
  if (config.databaseUrl !== undefined && config.secretKey === undefined) {
    problems.push(
      'SIGHTLINE_SECRET_KEY is required with SIGHTLINE_DATABASE_URL: every process needs the same key. Make one with: openssl rand -hex 32',
    );
  }
  if ((config.bootstrapKeyId === undefined) !== (config.bootstrapKeySecret === undefined)) {
    problems.push(
      'SIGHTLINE_BOOTSTRAP_KEY_ID and SIGHTLINE_BOOTSTRAP_KEY_SECRET must be set together',
    );
  }
  const ports = (['apiPort', 'uiPort', 'otlpHttpPort', 'otlpGrpcPort'] as const).filter(
    (name) => config[name] !== 0,
  );
  const taken = ports.filter(
    (name, index) => ports.findIndex((other) => config[other] === config[name]) !== index,
  );
  problems.push(
    ...taken.map(
      (name) => `${variable(name)} is the same port as another listener's (${config[name]})`,
    ),
  );
  return problems;
}

const camel = (name: string): string =>
  name
    .slice('SIGHTLINE_'.length)
    .toLowerCase()
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const variable = (key: string): string =>
  `SIGHTLINE_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

function isAddressOrBlock(part: string): boolean {
  const [address = '', bits, ...rest] = part.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) {
    return false;
  }
  if (bits === undefined) {
    return true;
  }
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) {
    return false;
  }
  new BlockList().addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return true;
}

function suggestion(name: string): string {
  const near = Object.keys(settings).find((known) => distanceAtMostTwo(known, name));
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** Whether two names differ by at most two single-letter edits. */
function distanceAtMostTwo(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 2) {
    return false;
  }
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      current[column] = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1),
      );
    }
    previous = current;
  }
  return previous[right.length]! <= 2;
}
