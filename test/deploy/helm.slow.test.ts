import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { settings } from '../../src/app/config/settings.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const chart = join(root, 'deploy/helm/sightline');
const helm = process.env['HELM'] ?? join(root, '.cache/helm/helm');
const examples = readdirSync(join(chart, 'ci')).map((name) => join(chart, 'ci', name));

/** For `describe.skipIf`: a missing helm fails in CI and skips elsewhere. */
function helmMissing(): boolean {
  if (existsSync(helm)) {
    return false;
  }
  const hint = 'helm was not found: run scripts/client-generators.sh and scripts/helm.sh';
  if (process.env['CI']) {
    throw new Error(hint);
  }
  console.log(`skipped: ${hint}`);
  return true;
}

interface Container {
  env: { name: string; value: string }[];
  envFrom?: { secretRef: { name: string } }[];
  ports: { name: string; containerPort: number }[];
  lifecycle?: object;
  livenessProbe?: { httpGet: { path: string; port: string } };
  readinessProbe?: { httpGet?: { path: string; port: string }; tcpSocket?: { port: string } };
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string }[];
}
interface Resource {
  kind: string;
  metadata: { name: string };
  spec: {
    replicas?: number;
    strategy?: object;
    selector: Record<string, unknown>;
    ports: { name: string; port: number; targetPort: string }[];
    template: {
      metadata: { labels: Record<string, string> };
      spec: {
        containers: Container[];
        volumes: { name: string }[];
        securityContext: Record<string, unknown>;
      };
    };
    volumeClaimTemplates?: { metadata: { name: string } }[];
  };
}

// Built with `go install`, helm takes Kubernetes 1.20 for the newest.
const kubernetes = ['--kube-version', '1.31.0'];
const run = (...args: string[]) => promisify(execFile)(helm, args);

async function rendered(...args: string[]): Promise<Resource[]> {
  const { stdout } = await run('template', 'monitor', chart, ...kubernetes, ...args);
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Resource | null)
    .filter((resource) => resource !== null);
}

const example = (name: string) => rendered('--values', join(chart, 'ci', `${name}-values.yaml`));
const ofKind = (resources: Resource[], kind: string): Resource[] =>
  resources.filter((one) => one.kind === kind);
const isWorkload = ({ kind }: Resource): boolean => /^(?:Deployment|StatefulSet)$/.test(kind);

describe.skipIf(helmMissing())('the Helm chart', () => {
  it.each([undefined, ...examples])('passes the linter with %s', async (values) => {
    const { stdout } = await run(
      'lint',
      '--strict',
      chart,
      ...kubernetes,
      ...(values ? ['-f', values] : []),
    );
    expect(stdout).toContain('0 chart(s) failed');
  });

  it.each(examples)('runs processes as the server documents it: %s', async (values) => {
    const resources = await rendered('--values', values);
    const workloads = resources.filter(isWorkload);
    expect(workloads.length).toBeGreaterThan(0);
    for (const { spec } of workloads) {
      const { containers, volumes, securityContext } = spec.template.spec;
      const [container] = containers;
      const names = container!.env.map(({ name }) => name);
      expect(Object.keys(settings)).toEqual(expect.arrayContaining(names));
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
      expect(container!.securityContext).toMatchObject({ readOnlyRootFilesystem: true });
      const claims = spec.volumeClaimTemplates?.map(({ metadata }) => metadata.name) ?? [];
      const present = [...volumes.map(({ name }) => name), ...claims];
      expect(present).toEqual(
        expect.arrayContaining(container!.volumeMounts.map(({ name }) => name)),
      );
      expect(container!.ports).toEqual([
        { name: 'api', containerPort: Number(settings.SIGHTLINE_API_PORT.fallback) },
        { name: 'ui', containerPort: Number(settings.SIGHTLINE_UI_PORT.fallback) },
        { name: 'otlp-http', containerPort: Number(settings.SIGHTLINE_OTLP_HTTP_PORT.fallback) },
        { name: 'otlp-grpc', containerPort: Number(settings.SIGHTLINE_OTLP_GRPC_PORT.fallback) },
      ]);
    }
  });

  it('leads each service to pods that serve it', async () => {
    for (const name of ['embedded', 'scaled', 'split']) {
      const resources = await example(name);
      const pods = resources.filter(isWorkload).map(({ spec }) => spec.template);
      const services = ofKind(resources, 'Service');
      expect(services.map(({ metadata }) => metadata.name).sort()).toEqual([
        'monitor-api',
        'monitor-ingest',
        'monitor-ui',
      ]);
      for (const { spec } of services) {
        const chosen = pods.filter(({ metadata: { labels } }) =>
          Object.entries(spec.selector).every(([key, value]) => labels[key] === value),
        );
        expect(chosen.length).toBeGreaterThan(0);
        for (const { targetPort } of spec.ports) {
          expect(chosen[0]!.spec.containers[0]!.ports.map((port) => port.name)).toContain(
            targetPort,
          );
        }
      }
    }
  });

  it('asks a process for its health where its roles answer', async () => {
    const byName = new Map(
      (await example('split')).filter(isWorkload).map(({ metadata, spec }) => {
        return [metadata.name, spec.template.spec.containers[0]!];
      }),
    );
    const { livenessProbe: alive, readinessProbe: ready } = byName.get('monitor-web')!;
    expect([alive?.httpGet, ready?.httpGet]).toEqual([
      { path: '/health', port: 'api' },
      { path: '/ready', port: 'api' },
    ]);
    expect(byName.get('monitor-ingest')!.readinessProbe?.tcpSocket?.port).toBe('otlp-http');
    expect(byName.get('monitor-work')!.readinessProbe).toBeUndefined();
    const withPause = [...byName].filter(([, { lifecycle }]) => lifecycle !== undefined);
    expect(withPause.map(([name]) => name).toSorted()).toEqual(['monitor-ingest', 'monitor-web']);
    const [roles] = byName.get('monitor-work')!.env;
    expect(roles).toEqual({ name: 'SIGHTLINE_ROLES', value: 'alerts,pipes' });
  });

  it('replaces pods one after the other, or all at once for a version that asks for it', async () => {
    const strategies = async (...args: string[]) =>
      (await rendered('--values', join(chart, 'ci', 'split-values.yaml'), ...args))
        .filter(isWorkload)
        .map(({ spec }) => spec.strategy);
    const oneByOne = {
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
    };
    expect(await strategies()).toEqual([oneByOne, oneByOne, oneByOne]);
    const atOnce = { type: 'Recreate' };
    expect(await strategies('--set', 'strategy=Recreate')).toEqual([atOnce, atOnce, atOnce]);
  });

  it.each([
    ['a mode that does not exist', ['--set', 'mode=sharded'], /mode/],
    ['a scaled release without its secret', ['--set', 'mode=scaled'], /existingSecret: name/],
    [
      'roles that nobody has',
      [
        '--set',
        'mode=scaled,existingSecret=s',
        '--set-json',
        'groups=[{"name":"a","replicas":1,"roles":["api"]}]',
      ],
      /no group has the role ui/,
    ],
    ['a strategy that does not exist', ['--set', 'strategy=OnDelete'], /strategy/],
    ['a setting that is none', ['--set', 'settings.LOG_LEVEL=debug'], /LOG_LEVEL/],
    ['an ingress without a host', ['--set', 'ingress.enabled=true'], /ingress.host/],
  ])('refuses %s', async (_, args, message) => {
    await expect(rendered(...args)).rejects.toThrow(message);
  });
});
