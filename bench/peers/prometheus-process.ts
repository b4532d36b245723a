import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../test/kit/eventually.ts';

/** A peer that runs on 127.0.0.1 over a directory of its own. */
export interface Peer {
  version: string;
  url: string;
  /** The sum of all series of a metric of its own. */
  metric(name: string): Promise<number>;
  /** Prometheus only: other rules from now on. */
  reload(groups: PrometheusOptions['groups']): Promise<void>;
  stop(): Promise<void>;
}

export interface PrometheusOptions {
  scrapeMs: number;
  evaluateMs: number;
  /** host:port of what it scrapes. */
  target: string;
  /** Rules of each group, as YAML-compatible JSON. */
  groups: { name: string; rules: object[] }[];
  alertmanager?: string;
}

/** @throws Error saying how to get it, where it is missing. */
export async function startPrometheus({
  scrapeMs,
  evaluateMs,
  target,
  groups,
  alertmanager,
}: PrometheusOptions): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-prometheus-'));
  const text = (ms: number): string => `${ms}ms`;
  writeFileSync(join(folder, 'rules.yml'), JSON.stringify({ groups }));
  // JSON is YAML.
  writeFileSync(
    join(folder, 'prometheus.yml'),
    JSON.stringify({
      global: {
        scrape_interval: text(scrapeMs),
        scrape_timeout: text(Math.min(scrapeMs, 10_000)),
        evaluation_interval: text(evaluateMs),
      },
      rule_files: ['rules.yml'],
      scrape_configs: [{ job_name: 'bench', static_configs: [{ targets: [target] }] }],
      ...(alertmanager !== undefined && {
        alerting: { alertmanagers: [{ static_configs: [{ targets: [alertmanager] }] }] },
      }),
    }),
  );
  const port = await freePort();
  return startPeer('prometheus', 'prometheus', folder, port, [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--web.enable-lifecycle',
    '--log.level=error',
  ]);
}

/**
 * Alertmanager with one webhook receiver; every alert is a group of its own, sent at once, and
 * looked at again after its default of five minutes.
 */
export async function startAlertmanager(webhookUrl: string): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-alertmanager-'));
  writeFileSync(
    join(folder, 'alertmanager.yml'),
    JSON.stringify({
      route: {
        receiver: 'bench',
        group_by: ['...'],
        group_wait: '0s',
        group_interval: '5m',
        repeat_interval: '24h',
      },
      receivers: [{ name: 'bench', webhook_configs: [{ url: webhookUrl, send_resolved: false }] }],
    }),
  );
  const port = await freePort();
  return startPeer('prometheus-alertmanager', 'alertmanager', folder, port, [
    `--config.file=${join(folder, 'alertmanager.yml')}`,
    `--storage.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address=',
    '--log.level=error',
  ]);
}

async function startPeer(
  program: string,
  name: string,
  folder: string,
  port: number,
  args: string[],
): Promise<Peer> {
  const version = versionOf(program);
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  await ready(child, `${url}/-/ready`, name);
  return {
    version,
    url,
    async metric(wanted) {
      const lines = (await (await fetch(`${url}/metrics`)).text())
        .split('\n')
        .filter((line) => line.startsWith(`${wanted}{`) || line.startsWith(`${wanted} `));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
    async reload(groups) {
      writeFileSync(join(folder, 'rules.yml'), JSON.stringify({ groups }));
      const answer = await fetch(`${url}/-/reload`, { method: 'POST' });
      if (!answer.ok) {
        throw new Error(`${name} refused the rules: ${await answer.text()}`);
      }
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function versionOf(program: string): string {
  const { stdout, stderr, error } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (error) {
    throw new Error(
      `${program} is not installed: apt-get install prometheus prometheus-alertmanager (Debian packages)`,
    );
  }
  return `${stdout}${stderr}`.split('\n')[0]!.replace(/ \(.*/, '');
}

async function ready(child: ChildProcess, url: string, name: string): Promise<void> {
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
  });
  const answers = until(`${name} to be ready`, async () => (await fetch(url)).ok, 30_000);
  await Promise.race([answers, ended]);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
