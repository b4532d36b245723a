import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineProcess } from '../../src/adapters/telemetry/embedded/engine-process.ts';
import { eventually } from './eventually.ts';

export interface ClickHouseServer {
  /** `http://127.0.0.1:<port>`, without credentials. */
  url: string;
  /** Ends the process at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same ports and data. */
  restart(): Promise<void>;
  /** Stops it in the middle of whatever it does: connections stay open, nothing is answered. */
  pause(): void;
  /** Goes on after `pause`. */
  resume(): void;
  close(): Promise<void>;
}

export interface Credentials {
  user: string;
  password: string;
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
  await writeFile(
    configurationFile,
    `<clickhouse><http_port>${port}</http_port><listen_host>127.0.0.1</listen_host>
      ${nativePort === undefined ? '' : `<tcp_port>${nativePort}</tcp_port>`}
      <users_config>${usersFile}</users_config>${configuration}</clickhouse>`,
  );
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
    return started;
  };
  let server = await launch();
  const signal = (name: NodeJS.Signals): void => {
    if (server.pid === undefined) {
      throw new Error('the ClickHouse server does not run');
    }
    process.kill(server.pid, name);
  };
  return {
    url,
    kill: () => server.kill(),
    async restart() {
      await server.kill();
      server = await launch();
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async close() {
      await server.kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** `default` starts the listener; with a user of another name it may do nothing else. */
function users(given: Credentials): string {
  const entry = ({ user, password, grants = [], managesUsers = false }: Credentials): string =>
    `<${user}><password>${password}</password><networks><ip>127.0.0.1</ip></networks>
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
