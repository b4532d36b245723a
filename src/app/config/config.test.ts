import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.ts';
import { readConfig } from './config.ts';
import { publicUrlOf } from './public-url.ts';

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems;
    }
    throw error;
  }
  return [];
};

describe('configuration', () => {
  it.each([
    [{}, 'http://127.0.0.1:8080'],
    [{ SIGHTLINE_HOST: '0.0.0.0', SIGHTLINE_UI_PORT: '9000' }, 'http://localhost:9000'],
    [{ SIGHTLINE_HOST: '::1' }, 'http://[::1]:8080'],
    [{ SIGHTLINE_UI_PORT: '0' }, ''],
    [
      { SIGHTLINE_PUBLIC_URL: 'https://sightline.example.com/team/' },
      'https://sightline.example.com/team',
    ],
  ])('links in notifications lead to the public address: %j', (environment, expected) => {
    expect(publicUrlOf(readConfig(environment).config)).toBe(expected);
  });

  it('an empty environment is a complete configuration', () => {
    const { config, warnings } = readConfig({});
    expect(config).toMatchObject({
      apiPort: 8000,
      uiPort: 8080,
      otlpHttpPort: 4318,
      otlpGrpcPort: 4317,
      host: '127.0.0.1',
      dataDir: './data',
      deployment: 'all',
      queryTimeoutMs: 30_000,
      rateLimit: { requests: 1000, windowMs: 10_000 },
      roles: ['api', 'ui', 'ingest', 'alerts', 'pipes'],
      trustedProxies: [],
      databaseUrl: undefined,
    });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['SIGHTLINE_API_PORT', '65536', 'from 0 to 65535'],
    ['SIGHTLINE_API_PORT', '80a', 'whole number'],
    ['SIGHTLINE_RATE_LIMIT', '5 per s', '1000/10s'],
    ['SIGHTLINE_ROLES', 'api,web', 'comma-separated list of api, ui'],
    ['SIGHTLINE_TRUSTED_PROXIES', '10.0.0.0/33', 'CIDR'],
    ['SIGHTLINE_TRUSTED_PROXIES', 'proxy.local', 'IP addresses'],
    ['SIGHTLINE_DATABASE_URL', 'mysql://x', 'postgres://'],
    ['SIGHTLINE_DEPLOYMENT', 'cloud', 'all, open-source or managed'],
    ['SIGHTLINE_BOOTSTRAP_ORGANIZATION_ID', 'x', 'UUID'],
    ['SIGHTLINE_PUBLIC_URL', 'sightline.example.com', 'http:// or https://'],
    ['SIGHTLINE_PUBLIC_URL', 'https://user:word@sightline.example.com', 'without user'],
    ['SIGHTLINE_METRICS_ADDRESS', 'localhost', 'host:port'],
    ['SIGHTLINE_METRICS_ADDRESS', 'localhost:70000', 'from 0 to 65535'],
    ['SIGHTLINE_ALLOW_HTTP_SOURCES', 'maybe', 'true or false'],
    ['SIGHTLINE_OBJECT_STORAGE_REGIONS', 'https://s3.example.com=eu-1', 's3.example.com=eu-1'],
    ['SIGHTLINE_BOOTSTRAP_KEY_ID', 'has:colon1', 'without a colon'],
    ['SIGHTLINE_CONFIG_FILE', '/nonexistent/file', 'cannot be read'],
  ])('%s=%s is refused with what to do', (name, value, text) => {
    const [problem = ''] = problemsOf({ [name]: value });
    expect(problem).toContain(name);
    expect(problem).toContain(text);
  });

  it('all mistakes are told at once, and secrets are not told at all', () => {
    const problems = problemsOf({
      SIGHTLINE_API_PORT: 'x',
      SIGHTLINE_UI_PORT: 'y',
      SIGHTLINE_BOOTSTRAP_ACCESS_KEY: 'canary',
    });
    expect(problems).toHaveLength(3);
    expect(problems.join()).not.toContain('canary');
  });

  it('the address of metrics has a host and a port, IPv6 too', () => {
    expect(readConfig({ SIGHTLINE_METRICS_ADDRESS: '[::1]:9100' }).config.metricsAddress).toEqual({
      host: '::1',
      port: 9100,
    });
  });

  it('a shared store needs a shared key', () => {
    expect(problemsOf({ SIGHTLINE_DATABASE_URL: 'postgres://db/x' })[0]).toContain(
      'SIGHTLINE_SECRET_KEY is required',
    );
  });

  it('two listeners cannot share a port, but several may take any', () => {
    expect(problemsOf({ SIGHTLINE_UI_PORT: '8000' })[0]).toContain('the port of another listener');
    expect(problemsOf({ SIGHTLINE_UI_PORT: '0', SIGHTLINE_API_PORT: '0' })).toEqual([]);
  });

  it('the environment wins over the file', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'sightline-config-')), 'sightline.env');
    writeFileSync(path, '# ports\nSIGHTLINE_API_PORT=1111\nSIGHTLINE_HOST="0.0.0.0"\n');
    const { config } = readConfig({ SIGHTLINE_CONFIG_FILE: path, SIGHTLINE_API_PORT: '2222' });
    expect(config).toMatchObject({ apiPort: 2222, host: '0.0.0.0' });
  });

  it('a misspelt variable is pointed out', () => {
    expect(readConfig({ SIGHTLINE_API_PROT: '1' }).warnings).toEqual([
      'SIGHTLINE_API_PROT is not a setting of Sightline and is ignored; did you mean SIGHTLINE_API_PORT?',
    ]);
  });
});
