import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/app/config/config.ts';

interface Service {
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
  ports?: string[];
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, null>;
}

const root = new URL('../../', import.meta.url);
const pathOf = (name: string): string => fileURLToPath(new URL(name, root));
const { services, volumes } = parse(readFileSync(pathOf('compose.yaml'), 'utf8'), {
  merge: true,
}) as Compose;
const secrets: Record<string, string> = {
  SIGHTLINE_SECRET_KEY: 'ab'.repeat(32),
  POSTGRES_PASSWORD: 'cd'.repeat(16),
  CLICKHOUSE_PASSWORD: 'ef'.repeat(16),
};
/** The environment of a service with the variables of the shell put in. */
const environmentOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(services[name]!.environment ?? {}).map(([key, value]) => [
      key,
      value.replaceAll(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, variable: string) => secrets[variable]!),
    ]),
  );
const ours = Object.keys(services).filter((name) => name.startsWith('sightline'));
const servers = Object.keys(services).filter((name) => name.startsWith('clickhouse'));

describe('compose.yaml', () => {
  it('starts two processes with settings that the server accepts', () => {
    expect(ours).toHaveLength(2);
    for (const name of ours) {
      const { config, warnings } = readConfig(environmentOf(name));
      expect(warnings).toEqual([]);
      expect(config.clickhouseUrl?.map((url) => new URL(url).hostname)).toEqual(servers);
      expect(config.databaseUrl).toContain('@postgres:5432/sightline');
    }
  });

  it('asks for each secret', () => {
    const text = readFileSync(pathOf('compose.yaml'), 'utf8');
    for (const name of Object.keys(secrets)) {
      expect(text).toMatch(new RegExp(`\\$\\{${name}:\\?`));
    }
  });

  it('describes the cluster that the processes name, with one shard for each server', () => {
    const configuration = readFileSync(pathOf('deploy/compose/clickhouse.xml'), 'utf8');
    const { SIGHTLINE_CLICKHOUSE_CLUSTER: cluster } = environmentOf(ours[0]!);
    const shards = new RegExp(`<${cluster}>(.*)</${cluster}>`, 's').exec(configuration)![1]!;
    const hosts = [...shards.matchAll(/<host>(.*?)<\/host>/g)].map(([, host]) => host);
    expect(hosts).toEqual(servers);
    expect(shards.match(/<shard>/g)).toHaveLength(servers.length);
    const numbers = servers.map((name) => environmentOf(name)['SHARD']);
    expect(numbers).toEqual(['1', '2', '3']);
  });

  it('waits for what it needs, and mounts what exists', () => {
    for (const { depends_on: needs = {}, volumes: mounts = [] } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(needs)) {
        const isChecked = services[name]!.healthcheck !== undefined;
        expect(condition).toBe(isChecked ? 'service_healthy' : 'service_started');
      }
      for (const mount of mounts) {
        const [from = ''] = mount.split(':');
        expect(from.startsWith('./') ? existsSync(pathOf(from)) : from in volumes, from).toBe(true);
      }
    }
  });

  it('publishes each port once', () => {
    const published = Object.values(services).flatMap(({ ports = [] }) =>
      ports.map((port) => port.slice(0, port.lastIndexOf(':'))),
    );
    expect(new Set(published).size).toBe(published.length);
  });
});
