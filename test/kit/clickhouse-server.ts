import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineProcess } from '../../src/adapters/telemetry/embedded/engine-process.ts';
import { eventually } from './eventually.ts';

export interface ClickHouseServer {
  /** `http://127.0.0.1:<port>`, without credentials. */
  url: string;
  /** Ends the process at once, as a crash would, and leaves it so. */
  kill(): Promise<void>;
  /** Starts it again on the same ports and data. */
  restart(): Promise<void>;
  /** Restarts it with other elements of its configuration. */
  reconfigure(configuration: string): Promise<void>;
  /**
   * Stops it in the middle of whatever it does: connections stay open, nothing is answered. Resolves
   * when its last thread stands still.
   */
  pause(): Promise<void>;
  /** Goes on after `pause`. */
  resume(): void;
  close(): Promise<void>;
}

export interface Credentials {
  user: string;
  password: string;
  /** SHA-256 of the password, instead of it. */
  passwordHash?: string;
  /** `GRANT …` statements without the user; absent: the user may do everything. */
  grants?: readonly string[];
  /** Whether the user may create users. The server has no place for them. */
  managesUsers?: boolean;
  /** Users that exist already. */
  others?: readonly Credentials[];
}

/**
 * A real ClickHouse server, in a process of its own and on a directory of its own.
 * @param configuration elements of its configuration, such as clusters
 * @param nativePort where it listens for the native protocol; absent: nowhere
 */
export async function startClickHouseServer(
  credentials: Credentials = { user: 'default', password: '' },
  configuration = '',
  nativePort?: number,
): Promise<ClickHouseServer> {
  const directory = await mkdtemp(join(tmpdir(), 'sightline-clickhouse-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const usersFile = join(directory, 'users.xml');
  const configurationFile = join(directory, 'configuration.xml');
  await writeFile(usersFile, users(credentials));
  const configure = (elements: string): Promise<void> =>
    writeFile(
      configurationFile,
      `<clickhouse><logger><console>1</console><level>fatal</level></logger>
      <http_port>${port}</http_port><listen_host>127.0.0.1</listen_host>
      ${nativePort === undefined ? '' : `<tcp_port>${nativePort}</tcp_port>`}
      <users_config>${usersFile}</users_config>${elements}</clickhouse>`,
    );
  await configure(configuration);
  const listeners = ['HTTP', ...(nativePort === undefined ? [] : ['TCP'])];
  const launch = async (): Promise<EngineProcess> => {
    const started = new EngineProcess(
      [
        `--config-file=${configurationFile}`,
        `--path=${join(directory, 'data')}`,
        '--query',
        [
          ...listeners.map((name) => `SYSTEM START LISTEN ${name}`),
          'SELECT sleepEachRow(3) FROM system.numbers FORMAT Null SETTINGS max_block_size = 1',
        ].join('; '),
      ],
      () => {},
    );
    await eventually(async () => {
      if (!started.running || !(await fetch(`${url}/ping`)).ok) {
        throw new Error(`the ClickHouse server did not start:\n${started.output}`);
      }
    });
    void started.ended.then(() => startAgain(started));
    return started;
  };
  let ending: EngineProcess | undefined;
  // As a machine's supervisor does. A crash that nobody ordered is said, and costs no test.
  const startAgain = async (crashed: EngineProcess): Promise<void> => {
    if (crashed !== ending) {
      console.error(`a ClickHouse server crashed and is started again:\n${crashed.output}`);
      server = await launch();
    }
  };
  const kill = (): Promise<void> => {
    ending = server;
    return server.kill();
  };
  let server = await launch();
  const signal = (name: NodeJS.Signals): void => {
    if (server.pid === undefined) {
      throw new Error('the ClickHouse server does not run');
    }
    process.kill(server.pid, name);
  };
  const restart = async (): Promise<void> => {
    await kill();
    server = await launch();
  };
  return {
    url,
    kill,
    restart,
    async reconfigure(elements) {
      await configure(elements);
      await restart();
    },
    async pause() {
      signal('SIGSTOP');
      const { pid } = server;
      await eventually(async () => expectStopped(await threadStates(pid)));
    },
    resume: () => signal('SIGCONT'),
    async close() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The letters of Linux for what each thread of a process does (proc_pid_stat(5)). */
async function threadStates(pid: number | undefined): Promise<string[]> {
  const directory = `/proc/${pid}/task`;
  const stats = await Promise.all(
    (await readdir(directory)).map((thread) => readFile(join(directory, thread, 'stat'), 'utf8')),
  );
  // The name before the state is in parentheses and may contain some itself.
  return stats.map((stat) => stat.slice(stat.lastIndexOf(')') + 2)[0] ?? '');
}

function expectStopped(states: readonly string[]): void {
  if (!states.every((state) => state === 'T')) {
    throw new Error(`the ClickHouse server still runs: ${states.join('')}`);
  }
}

/** `default` starts the listener; with a user of another name it may do nothing else. */
function users(given: Credentials): string {
  const secret = ({ password, passwordHash }: Credentials): string =>
    passwordHash === undefined
      ? `<password>${password}</password>`
      : `<password_sha256_hex>${passwordHash}</password_sha256_hex>`;
  const entry = ({ user, grants = [], managesUsers = false, ...rest }: Credentials): string =>
    `<${user}>${secret({ user, ...rest })}<networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile><quota>default</quota>
      ${managesUsers ? '<access_management>1</access_management>' : ''}
      ${grants.length > 0 ? `<grants>${grants.map(query).join('')}</grants>` : ''}</${user}>`;
  const query = (grant: string): string => `<query>${grant}</query>`;
  const launcher = {
    user: 'default',
    password: '',
    grants: ['GRANT SYSTEM LISTEN ON *.*', 'GRANT SELECT ON system.numbers'],
  };
  const list = [...(given.user === 'default' ? [] : [launcher]), given, ...(given.others ?? [])];
  return `<clickhouse><profiles><default/></profiles><quotas><default/></quotas><users>${list
    .map(entry)
    .join('')}</users></clickhouse>`;
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
