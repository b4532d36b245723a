import { existsSync } from 'node:fs';
import { access, constants, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../adapters/ambient/log.ts';
import { ConfigError } from '../app/config/config-error.ts';
import { readConfig, type Config } from '../app/config/config.ts';
import { serverUserFindings } from '../app/server-users.ts';
import {
  describeTelemetryCluster,
  openExistingVault,
  openStore,
  openTelemetry,
  storePath,
} from '../app/stores.ts';
import { table } from './table.ts';

type Environment = Record<string, string | undefined>;

/** `sightline doctor`: a table of findings; exit code 1 when one is bad. */
export async function doctor(environment: Environment): Promise<void> {
  const findings = await examine(environment);
  console.log(
    table(
      ['', 'check', 'result'],
      findings.map(({ ok, what, text }) => [ok ? 'ok' : 'FAIL', what, text]),
      Infinity,
    ),
  );
  process.exit(findings.every(({ ok }) => ok) ? 0 : 1);
}

interface Finding {
  what: string;
  ok: boolean;
  /** What was seen; where it is not ok, what to do. */
  text: string;
}

/** Configuration, data directory, ports, store and engine, without starting anything. */
async function examine(environment: Environment): Promise<Finding[]> {
  const findings: Finding[] = [
    {
      what: 'node',
      ok: nodeIsNewEnough(),
      text: `${process.version} on ${process.platform}-${process.arch}; 20.19 or newer is needed`,
    },
  ];
  let config: Config;
  try {
    const read = readConfig(environment);
    config = read.config;
    findings.push(
      { what: 'configuration', ok: true, text: 'valid' },
      ...read.warnings.map((text) => ({ what: 'configuration', ok: true, text })),
    );
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    return [
      ...findings,
      ...error.problems.map((text) => ({ what: 'configuration', ok: false, text })),
    ];
  }
  if (config.databaseUrl === undefined || config.clickhouseUrl === undefined) {
    findings.push(await dataDirectory(config.dataDir));
  }
  for (const [what, port] of [
    ['API port', config.apiPort],
    ['interface port', config.uiPort],
    ['OTLP/HTTP port', config.otlpHttpPort],
    ['OTLP/gRPC port', config.otlpGrpcPort],
  ] as const) {
    findings.push(await portIsFree(what, config.host, port));
  }
  findings.push(
    await ask('store', () => askStore(config)),
    await ask('engine', () => askEngine(config)),
  );
  if (config.clickhouseUrl !== undefined) {
    findings.push(await ask('users on ClickHouse', () => askUsers(config)));
  }
  return findings;
}

async function askStore(config: Config): Promise<string> {
  if (config.databaseUrl === undefined && !existsSync(storePath(config))) {
    // A store without its secret key would stop the first start.
    return `SQLite, created in ${config.dataDir} by the first start`;
  }
  const store = await openStore(config, createLog({ level: 'silent' }), { beside: true });
  await store.ping().finally(() => store.close());
  return config.databaseUrl === undefined ? `SQLite in ${config.dataDir}` : 'PostgreSQL answers';
}

async function askEngine(config: Config): Promise<string> {
  if (config.clickhouseCluster !== undefined) {
    return describeTelemetryCluster(config);
  }
  if (config.clickhouseUrl !== undefined) {
    await pingEngine(config);
    return 'ClickHouse answers';
  }
  if (existsSync(join(config.dataDir, 'telemetry'))) {
    await pingEngine(config);
    return `embedded, in ${config.dataDir}`;
  }
  // Telemetry without its store would stop the first start.
  const dataDir = await mkdtemp(join(tmpdir(), 'sightline-doctor-'));
  try {
    await pingEngine({ ...config, dataDir });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return `embedded, created in ${config.dataDir} by the first start`;
}

async function pingEngine(config: Config): Promise<void> {
  const telemetry = await openTelemetry(config, createLog({ level: 'silent' }));
  await telemetry.ping(10_000).finally(() => telemetry.close());
}

async function askUsers(config: Config): Promise<string> {
  const vault = await openExistingVault(config);
  return vault === undefined
    ? 'not checked: the secret key is created when the server starts first'
    : serverUserFindings(config, vault);
}

function nodeIsNewEnough(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 19);
}

async function dataDirectory(path: string): Promise<Finding> {
  return ask('data directory', async () => {
    await mkdir(path, { recursive: true });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return `${path} can be written`;
  });
}

function portIsFree(what: string, host: string, port: number): Promise<Finding> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      resolve({
        what,
        ok: false,
        text:
          error.code === 'EADDRINUSE'
            ? `${port} is in use. Stop the server that uses it, or set another port`
            : `${host}:${port} cannot be bound (${error.code})`,
      }),
    );
    probe.listen(port, host, () =>
      probe.close(() =>
        resolve({ what, ok: true, text: port === 0 ? 'any free port' : `${port} is free` }),
      ),
    );
  });
}

async function ask(what: string, question: () => Promise<string>): Promise<Finding> {
  try {
    return { what, ok: true, text: await question() };
  } catch (error) {
    return { what, ok: false, text: error instanceof Error ? error.message : String(error) };
  }
}
