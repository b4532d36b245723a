import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { childScript } from '../kit/child-script.ts';

export interface PipesProcessOptions {
  folder: string;
  holder?: string;
  leaseMs?: number;
  databaseUrl?: string;
  clickHouseUrl?: string;
  cluster?: { urls: readonly string[]; clusterName: string };
  /** It also receives OTLP. */
  receivesOtlp?: boolean;
  /** Where cloudstream's service is. */
  streamService?: string;
  /** How long a broker waits for a member that is silent. */
  kafkaSessionMs?: number;
  /** No insert ever ends. */
  holdInserts?: boolean;
  /** Every insert waits for so long first. */
  insertStallMs?: number;
  /** PEM file of an authority to trust besides those that everybody trusts. */
  trustedAuthority?: string;
}

/** A process that runs the pipes of a folder or of a shared store. */
export interface PipesChild {
  readonly pid: number;
  /** With `receivesOtlp`: where. */
  readonly otlpUrl: string;
  /** With `holdInserts`: resolves when so many were begun. */
  holding(count: number): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Signals, and waits until it is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** What it holds of memory now, in bytes. */
  residentBytes(): number;
}

const running = new Set<PipesChild>();

export async function startPipes(options: PipesProcessOptions): Promise<PipesChild> {
  const started = spawn(process.execPath, [childScript('pipes-process'), JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...(options.trustedAuthority === undefined
        ? {}
        : { NODE_EXTRA_CA_CERTS: options.trustedAuthority }),
    },
  });
  let said = '';
  started.stdout.on('data', (data: Buffer) => {
    said += String(data);
  });
  const ended = new Promise<void>((resolve) => {
    started.once('exit', () => {
      resolve();
    });
  });
  await new Promise<void>((resolve, reject) => {
    started.stdout.on('data', () => {
      if (said.includes('\n')) {
        resolve();
      }
    });
    started.once('exit', (code) => {
      reject(new Error(`the process ended with ${code}`));
    });
  });
  const child: PipesChild = {
    pid: started.pid!,
    otlpUrl: /^ready (\S+)\n/.exec(said)?.[1] ?? '',
    holding: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (said.split('holding').length > count) {
            resolve();
          }
        };
        started.stdout.on('data', check);
        check();
      }),
    signal: (signal) => {
      started.kill(signal);
    },
    async end(signal) {
      running.delete(child);
      if (signal === 'SIGKILL') {
        started.kill('SIGCONT');
      }
      started.kill(signal);
      await ended;
    },
    residentBytes: () =>
      Number(
        /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${started.pid}/status`, 'utf8'))?.[1] ?? 0,
      ) * 1024,
  };
  running.add(child);
  return child;
}

/** For `afterAll`: whatever a failed test left running. */
export async function killPipes(): Promise<void> {
  await Promise.all([...running].map((child) => child.end('SIGKILL')));
}
