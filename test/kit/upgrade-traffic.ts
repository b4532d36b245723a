import { setTimeout as pause } from 'node:timers/promises';
import { http } from './http.ts';
import type { Server } from './program.ts';

export interface UpgradeKeys {
  accessKey: string;
  ingestionKey: string;
}

/** Reads, writes and telemetry through every process that serves, until `stop`. */
export class UpgradeTraffic {
  readonly failures: string[] = [];
  /** By the address of the process. */
  readonly answered = new Map<string, number>();
  /** Log records that were acknowledged. */
  stored = 0;
  private readonly servers = new Set<Server>();
  private readonly keys: UpgradeKeys;
  private readonly dashboardId: string;
  private running = true;
  private pass = Promise.resolve();
  private readonly loop: Promise<void>;

  constructor(keys: UpgradeKeys, dashboardId: string) {
    this.keys = keys;
    this.dashboardId = dashboardId;
    this.loop = this.run();
  }

  add(server: Server): void {
    this.servers.add(server);
  }

  /** As a load balancer does before a process stops. */
  async leave(server: Server): Promise<void> {
    this.servers.delete(server);
    await this.pass;
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.loop;
  }

  private async run(): Promise<void> {
    while (this.running) {
      this.pass = this.askAll();
      await this.pass;
      await pause(100);
    }
  }

  private async askAll(): Promise<void> {
    for (const server of this.servers) {
      await this.ask(server, 'GET', '/alerts?recent=5');
      await this.ask(server, 'GET', '/status');
      await this.ask(server, 'PUT', `/dashboards/${this.dashboardId}`, { name: 'Renamed' });
      await this.send(server);
    }
  }

  private async ask(server: Server, method: string, path: string, body?: object): Promise<void> {
    await this.note(server, `${method} ${path}`, () =>
      http(method, `${server.api}/api/v2${path}`, {
        headers: { authorization: `Bearer ${this.keys.accessKey}` },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  }

  private async send(server: Server): Promise<void> {
    const record = { timeUnixNano: `${Date.now()}000000`, body: { stringValue: 'tick' } };
    const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] });
    const isStored = await this.note(server, 'POST /v1/logs', () =>
      http('POST', `${server.otlpHttp}/v1/logs`, {
        headers: { authorization: this.keys.ingestionKey },
        body,
      }),
    );
    this.stored += isStored ? 1 : 0;
  }

  private async note(
    { api }: Server,
    what: string,
    call: () => Promise<{ status: number; text: string }>,
  ): Promise<boolean> {
    for (;;) {
      const { status, text } = await call().catch((error: unknown) => ({
        status: 0,
        text: String(error),
      }));
      if (status === 200) {
        this.answered.set(api, (this.answered.get(api) ?? 0) + 1);
        return true;
      }
      // A busy machine: the request was refused unseen, and clients repeat it.
      if (!text.includes('the server is overloaded')) {
        this.failures.push(`${what} of ${api}: ${status} ${text}`);
        return false;
      }
      await pause(500);
    }
  }
}
