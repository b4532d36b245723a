import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './eventually.ts';

const presentBin = fileURLToPath(new URL('../../bin/sightline.cjs', import.meta.url));

/** Tables made on a busy machine, over a test server that opens a session for every statement. */
const startMs = 100_000;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * The built program (test/kit/build.ts builds it before the suites) as a process of its own, on a
 * data directory of its own and free ports.
 */
export class Program {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'sightline-program-'));
  readonly environment: Record<string, string>;
  private readonly children = new Set<ChildProcess>();
  private readonly bin: string;

  /** @param bin the file to start, for another program than the present one */
  constructor(environment: Record<string, string> = {}, bin = presentBin) {
    this.bin = bin;
    const free = {
      SIGHTLINE_API_PORT: '0',
      SIGHTLINE_UI_PORT: '0',
      SIGHTLINE_OTLP_HTTP_PORT: '0',
      SIGHTLINE_OTLP_GRPC_PORT: '0',
    };
    this.environment = {
      SIGHTLINE_DATA_DIR: this.dataDir,
      SIGHTLINE_LOG_LEVEL: 'warn',
      ...free,
      ...environment,
    };
  }

  spawn(
    args: readonly string[],
    environment: Record<string, string> = {},
  ): { child: ChildProcess; ended: Promise<Ended>; printed: () => string } {
    const child = spawn(process.execPath, [this.bin, ...args], {
      env: { PATH: process.env['PATH'] ?? '', ...this.environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.children.add(child);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = new Promise<Ended>((resolve) => {
      child.once('close', (code) => {
        this.children.delete(child);
        resolve({ code, stdout, stderr });
      });
    });
    return { child, ended, printed: () => stdout + stderr };
  }

  run(...args: string[]): Promise<Ended> {
    return this.spawn(args).ended;
  }

  /** `serve`, once it says it is running. */
  async serve(environment: Record<string, string> = {}): Promise<Server> {
    const { child, ended, printed } = this.spawn(['serve'], environment);
    const { SIGHTLINE_ROLES: roles = 'ingest' } = { ...this.environment, ...environment };
    const lastLine = roles.includes('ingest') ? /OTLP\/gRPC +http\S+\n/ : /is running\.\n/;
    const text = await until(
      'the server to run',
      () => {
        const isRunning = lastLine.test(printed());
        return isRunning || child.exitCode !== null ? printed() : undefined;
      },
      startMs,
    );
    if (child.exitCode !== null) {
      throw new Error(`the server ended:\n${text}`);
    }
    const address = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';
    return {
      child,
      ended,
      banner: text,
      api: address(/(http:\/\/[^/]+)\/api\/v2/),
      ui: address(/interface +(\S+)/),
      otlpHttp: address(/OTLP\/HTTP +(\S+)/),
      stop: async () => {
        child.kill('SIGTERM');
        return ended;
      },
    };
  }

  async remove(): Promise<void> {
    await Promise.all(
      [...this.children].map(
        (child) =>
          new Promise((resolve) => {
            child.once('close', resolve);
            child.kill('SIGKILL');
          }),
      ),
    );
    // Its engine ends a moment after it, and may still write.
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

export interface Server {
  child: ChildProcess;
  ended: Promise<Ended>;
  banner: string;
  api: string;
  ui: string;
  otlpHttp: string;
  stop(): Promise<Ended>;
}

/** The process of the embedded engine, a child of the server. On Linux only. */
export function enginePid({ child: { pid: server } }: Pick<Server, 'child'>): number {
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8');
  const pid = children
    .trim()
    .split(' ')
    .map(Number)
    .find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('engine.cjs'));
  if (pid === undefined) {
    throw new Error(`the server ${server} has no engine among its children: ${children}`);
  }
  return pid;
}
