import { randomBytes, randomUUID } from 'node:crypto';
import type { ServerStatus, Status } from '../../src/contract/status.ts';
import { addressOf } from '../kit/sharded-pipes.ts';
import type { ClickHouseCluster } from '../kit/clickhouse-cluster.ts';
import { http, type HttpAnswer } from '../kit/http.ts';
import type { PostgresPeer } from '../kit/postgres.ts';
import { Program, type Server } from '../kit/program.ts';

export interface DeploymentOptions {
  /** Also the name of the telemetry database. */
  name: string;
  /** Of each process, as in SIGHTLINE_ROLES. */
  roles: readonly string[];
  postgres: PostgresPeer;
  cluster: ClickHouseCluster;
  settings: Record<string, string>;
}

export interface DeployedProcess extends Server {
  roles: readonly string[];
  isAlive: boolean;
}

export const person = { email: 'ada@example.com', password: 'a first password' };
export const accessKey = 'slp_test_access_key_000000000000000000000000';
export const ingestionKey = 'sli_test_ingestion_key_0000000000000000000000';
export const organizationKey = 'test-key-id:test-key-secret-0000000000000000';

/** Programs of ours, each a process of its own, over one PostgreSQL database and one cluster. */
export class Deployment {
  readonly name: string;
  /** Of the metadata. */
  readonly databaseUrl: string;
  readonly processes: readonly DeployedProcess[];
  /** Paths of the managed surface. */
  readonly organization: string;
  readonly service: string;
  readonly #programs: readonly Program[];

  private constructor(
    { name }: DeploymentOptions,
    parts: Pick<Deployment, 'databaseUrl' | 'processes' | 'organization' | 'service'>,
    programs: readonly Program[],
  ) {
    this.name = name;
    this.databaseUrl = parts.databaseUrl;
    this.processes = parts.processes;
    this.organization = parts.organization;
    this.service = parts.service;
    this.#programs = programs;
  }

  static async start(options: DeploymentOptions): Promise<Deployment> {
    const { name, roles, postgres, cluster, settings } = options;
    const databaseUrl = await postgres.createDatabase();
    const { urls, clusterName } = addressOf(cluster);
    const [organizationId, serviceId] = [randomUUID(), randomUUID()];
    const [keyId = '', keySecret = ''] = organizationKey.split(':');
    const shared = {
      SIGHTLINE_DATABASE_URL: databaseUrl,
      SIGHTLINE_CLICKHOUSE_URL: urls.join(','),
      SIGHTLINE_CLICKHOUSE_CLUSTER: clusterName,
      SIGHTLINE_CLICKHOUSE_DATABASE: name,
      SIGHTLINE_SECRET_KEY: randomBytes(32).toString('base64'),
      SIGHTLINE_BOOTSTRAP_EMAIL: person.email,
      SIGHTLINE_BOOTSTRAP_PASSWORD: person.password,
      SIGHTLINE_BOOTSTRAP_ACCESS_KEY: accessKey,
      SIGHTLINE_BOOTSTRAP_INGESTION_KEY: ingestionKey,
      SIGHTLINE_BOOTSTRAP_ORGANIZATION_ID: organizationId,
      SIGHTLINE_BOOTSTRAP_SERVICE_ID: serviceId,
      SIGHTLINE_BOOTSTRAP_KEY_ID: keyId,
      SIGHTLINE_BOOTSTRAP_KEY_SECRET: keySecret,
      ...settings,
    };
    const programs = roles.map((each) => new Program({ ...shared, SIGHTLINE_ROLES: each }));
    try {
      const processes = await Promise.all(
        programs.map(async (program, index) => ({
          ...(await program.serve()),
          roles: roles[index]!.split(','),
          isAlive: true,
        })),
      );
      const organization = `/v1/organizations/${organizationId}`;
      const service = `${organization}/services/${serviceId}`;
      return new Deployment(options, { databaseUrl, processes, organization, service }, programs);
    } catch (error) {
      await Promise.all(programs.map((program) => program.remove()));
      throw error;
    }
  }

  /** Those that run. */
  with(role: string): DeployedProcess[] {
    return this.processes.filter(({ isAlive, roles }) => isAlive && roles.includes(role));
  }

  /** Calls `/api/v2` with the first access key; the data of a success. */
  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const [at] = this.with('ui');
    const answer = await http(method, `${at!.ui}/api/v2${path}`, {
      headers: { authorization: `Bearer ${accessKey}` },
      body,
    });
    return successOf(answer).data as T;
  }

  /** Calls `/v1`, below the first service, with the first key of the organization. */
  async callService<T>(method: string, path: string, body?: object): Promise<T> {
    const [at] = this.with('ui');
    const answer = await http(method, at!.ui + this.service + path, {
      headers: { authorization: `Basic ${btoa(organizationKey)}` },
      body,
    });
    return successOf(answer).result as T;
  }

  /** The processes, as they say themselves. */
  async nodes(): Promise<ServerStatus['nodes']> {
    return (await this.call<Status>('GET', '/status')).server?.nodes ?? [];
  }

  kill(processId: number): void {
    const victim = this.processes.find(({ child }) => child.pid === processId);
    victim!.isAlive = false;
    victim!.child.kill('SIGKILL');
  }

  /** Ends them as a deployment does. */
  async stop(): Promise<void> {
    const running = this.processes.filter(({ isAlive }) => isAlive);
    await Promise.all(
      running.map((each) => {
        each.isAlive = false;
        return each.stop();
      }),
    );
  }

  async remove(): Promise<void> {
    await Promise.all(this.#programs.map((program) => program.remove()));
  }
}

function successOf(answer: HttpAnswer) {
  if (answer.status !== 200) {
    throw new Error(`${answer.status}: ${answer.text}`);
  }
  return answer.json;
}
