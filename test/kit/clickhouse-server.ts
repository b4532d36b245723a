import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childScript } from './child-script.ts';

export interface ClickHouseServer {
  /** `http://127.0.0.1:<port>`, without credentials. */
  url: string;
  /** Ends the process at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A server that speaks ClickHouse's HTTP interface over the real engine, in a process of its own: chDB binds one data
 * directory per process, and a test may want both engines. `configuration`: XML, such as clusters.
 */
export async function startClickHouseServer(
  credentials: { user: string; password: string } = { user: 'default', password: '' },
  configuration?: string,
): Promise<ClickHouseServer> {
  const directory = await mkdtemp(join(tmpdir(), 'sightline-clickhouse-'));
  if (configuration !== undefined) {
    await writeFile(join(directory, 'configuration.xml'), configuration);
  }
  const given = { ...credentials, configured: configuration !== undefined };
  let { child, port } = await launch(directory, 0, given);
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) {
      return;
    }
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    kill,
    async restart() {
      await kill();
      ({ child, port } = await launch(directory, port, given));
    },
    async close() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function launch(
  directory: string,
  wantedPort: number,
  { user, password, configured }: { user: string; password: string; configured: boolean },
): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(
    process.execPath,
    [childScript('clickhouse-server-process'), directory, String(wantedPort)],
    {
      env: {
        ...process.env,
        UV_THREADPOOL_SIZE: '32',
        TEST_CLICKHOUSE_USER: user,
        TEST_CLICKHOUSE_PASSWORD: password,
        TEST_CLICKHOUSE_CONFIGURED: String(configured),
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  for await (const line of createInterface({ input: child.stdout! })) {
    const port = /^listening (\d+)$/.exec(line)?.[1];
    if (port !== undefined) {
      return { child, port: Number(port) };
    }
  }
  throw new Error('the test ClickHouse server did not start');
}
