import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { settings, type Setting } from './settings.ts';
import { similarName } from './similar-name.ts';

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
          `${name} ${parsed.error.issues[0]!.message}${secret ? '' : ` (value: ${JSON.stringify(given)})`}`,
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
      'SIGHTLINE_SECRET_KEY is required with SIGHTLINE_DATABASE_URL: ' +
        'every process needs the same key. Make one with: openssl rand -hex 32',
    );
  }
  if (config.clickhouseCluster === undefined && (config.clickhouseUrl?.length ?? 0) > 1) {
    problems.push(
      'SIGHTLINE_CLICKHOUSE_CLUSTER is required if SIGHTLINE_CLICKHOUSE_URL has several addresses: ' +
        'set it to the name of the cluster in remote_servers of the servers',
    );
  }
  if (config.clickhouseCluster !== undefined && config.clickhouseUrl === undefined) {
    problems.push('SIGHTLINE_CLICKHOUSE_URL is required with SIGHTLINE_CLICKHOUSE_CLUSTER');
  }
  if ((config.bootstrapKeyId === undefined) !== (config.bootstrapKeySecret === undefined)) {
    problems.push(
      'SIGHTLINE_BOOTSTRAP_KEY_ID and SIGHTLINE_BOOTSTRAP_KEY_SECRET must be set together',
    );
  }
  if (config.oidcIssuer !== undefined && config.oidcClientId === undefined) {
    problems.push('SIGHTLINE_OIDC_CLIENT_ID is required with SIGHTLINE_OIDC_ISSUER');
  }
  const ports = (['apiPort', 'uiPort', 'otlpHttpPort', 'otlpGrpcPort'] as const).filter(
    (name) => config[name] !== 0,
  );
  const repeated = ports.filter(
    (name, index) => ports.findIndex((other) => config[other] === config[name]) !== index,
  );
  problems.push(
    ...repeated.map(
      (name) => `${variable(name)} is also the port of another listener (${config[name]})`,
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

function suggestion(name: string): string {
  const near = similarName(Object.keys(settings), name);
  return near === undefined ? '' : `; did you mean ${near}?`;
}
