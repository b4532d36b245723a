import { randomBytes } from 'node:crypto';
import { createLog } from '../../src/adapters/ambient/log.ts';
import { createApp } from '../../src/app/app.ts';
import { readConfig, type Config } from '../../src/app/config/config.ts';
import type { AppOptions } from '../../src/app/options.ts';
import type { Running } from '../../src/app/running.ts';
import type { FirstCredentials } from '../../src/core/identity/bootstrap.ts';
import type { Log } from '../../src/ports/ambient.ts';
import { TelemetryError, type Telemetry } from '../../src/ports/telemetry.ts';

export interface TestAppOptions extends Omit<AppOptions, 'config' | 'log' | 'version'> {
  /** Holds what the app keeps: the caller makes and removes it. */
  folder: string;
  roles: readonly Config['roles'][number][];
  /** Settings besides those of every test. */
  config?: Partial<Config>;
  log?: Log;
}

export interface TestApp extends Running {
  addresses: Awaited<ReturnType<ReturnType<typeof createApp>['start']>>['addresses'];
  /** Set if the store was empty. */
  first: FirstCredentials | undefined;
  stop(): Promise<void>;
}

/** The real app in this process: on free ports, and allowed to reach this machine. */
export async function startTestApp({
  folder,
  roles,
  config,
  log = createLog({ level: 'silent' }),
  ...options
}: TestAppOptions): Promise<TestApp> {
  const app = createApp({
    ...options,
    log,
    version: '0.0.0-test',
    config: { ...testConfig(folder), roles: [...roles], ...config },
  });
  const { addresses, first, running } = await app.start();
  return { ...running, addresses, first, stop: () => app.stop() };
}

export function testConfig(folder: string): Config {
  return readConfig({
    SIGHTLINE_DATA_DIR: folder,
    SIGHTLINE_API_PORT: '0',
    SIGHTLINE_UI_PORT: '0',
    SIGHTLINE_OTLP_HTTP_PORT: '0',
    SIGHTLINE_OTLP_GRPC_PORT: '0',
    SIGHTLINE_SECRET_KEY: randomBytes(32).toString('hex'),
    SIGHTLINE_CLICKHOUSE_DATABASE: 'telemetry',
    SIGHTLINE_RATE_LIMIT: 'off',
    SIGHTLINE_EGRESS_ALLOW: '127.0.0.0/8,localhost',
    SIGHTLINE_ALLOW_HTTP_SOURCES: 'true',
  }).config;
}

/** Lines of a log, each a JSON object, as they would be written. */
export function linesOfLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    log: createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } }),
  };
}

/** An engine without anything in it: it is there, and every question fails. */
export const noEngine = new Proxy({} as Telemetry, {
  get: (_, name) => {
    if (name === 'shards') {
      return undefined;
    }
    return name === 'ping' || name === 'migrate'
      ? () => Promise.resolve([])
      : () => Promise.reject(new TelemetryError('unavailable', 'there is no engine in this test'));
  },
});
