import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../../ports/ambient.ts';
import { TelemetryError } from '../../../ports/telemetry.ts';
import { engineUsers } from '../rights/engine-users.ts';
import { logBrokenParts } from './broken-parts.ts';
import { markCleanStop, takeCleanStopMark } from './clean-stop.ts';
import { askAdmin } from './ask-admin.ts';
import { removeEngineAccess, writeEngineAccess } from './engine-access.ts';
import type { EngineAddress } from './engine-address.ts';
import { engineConfiguration, type EgressRules } from './engine-configuration.ts';
import { logEngineLine } from './engine-log.ts';
import { EngineProcess } from './engine-process.ts';
import { InsertTokens } from './insert-tokens.ts';
import { knownDatabases } from './known-databases.ts';

export interface LauncherOptions {
  /** The engine's data directory. One engine at a time. */
  path: string;
  /** The most memory the engine may use, in MiB. */
  memoryMib: number;
  /** The only folder that BACKUP writes to and RESTORE reads from. */
  backupFolder?: string | undefined;
  /** File that tells commands on this machine where the engine answers (see engine-access.ts). */
  accessFile?: string | undefined;
  egress?: EgressRules | undefined;
  /** Databases that will be used, besides those in the directory. */
  databases?: readonly string[] | undefined;
  log: Log;
}

const startLimitMs = 60_000;
const pollMs = 10;
const backOffMs = { first: 100, most: 10_000 };
const start = [
  'SYSTEM START LISTEN HTTP;',
  // Keeps the command line at work until it is killed.
  'SELECT sleepEachRow(3) FROM system.numbers FORMAT Null SETTINGS max_block_size = 1',
].join(' ');

/** Starts the engine, starts it again when it ends, and stops it. */
export class EngineLauncher {
  readonly #options: LauncherOptions;
  readonly #tokens: InsertTokens;
  readonly #databases: Set<string>;
  #process: EngineProcess | undefined;
  #address: EngineAddress | undefined;
  #answers = deferred();
  #restarts = 0;
  #brokenParts = 0;
  #endedUncleanly = false;
  readonly #restartListeners: (() => void)[] = [];
  #stopped = false;
  /** The engine has answered, so no other engine uses the directory. */
  #ownsDirectory = false;
  readonly #stop = new AbortController();

  private constructor(options: LauncherOptions) {
    this.#options = options;
    this.#databases = new Set(options.databases);
    this.#tokens = new InsertTokens(options.path, options.log);
  }

  /** @throws TelemetryError unavailable with the reason when the engine does not start. */
  static async open(options: LauncherOptions): Promise<EngineLauncher> {
    await mkdir(options.path, { recursive: true, mode: 0o700 });
    await chmod(options.path, 0o700);
    const isNew = !existsSync(join(options.path, 'store'));
    const launcher = new EngineLauncher(options);
    await launcher.#launch();
    const isClean = takeCleanStopMark(options.path) || isNew;
    launcher.#endedUncleanly = !isClean || launcher.#brokenParts > 0;
    return launcher;
  }

  /** @throws TelemetryError unavailable after `stop`. */
  get address(): EngineAddress {
    if (this.#address === undefined) {
      throw new TelemetryError('unavailable', 'the telemetry engine is not running');
    }
    return this.#address;
  }

  /** How many times the engine has been started again. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Parts of tables that the engine could not read and set aside, as of its last start. */
  get brokenParts(): number {
    return this.#brokenParts;
  }

  /** Whether the last run before this process may have left an insert half done, or lost parts. */
  get endedUncleanly(): boolean {
    return this.#endedUncleanly;
  }

  /** The listener is called after each restart, once the engine answers. */
  onRestart(listener: () => void): void {
    this.#restartListeners.push(listener);
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Whether the engine is being started at the moment. */
  get starting(): boolean {
    return this.#address === undefined && !this.#stopped;
  }

  /** Resolves when the engine answers. @throws TelemetryError when it is stopped, or `signal` fires. */
  async ready(signal?: AbortSignal): Promise<void> {
    if (this.#address !== undefined) {
      return;
    }
    if (this.#stopped) {
      throw new TelemetryError('unavailable', 'the telemetry engine is closing');
    }
    await (signal === undefined
      ? this.#answers.promise
      : Promise.race([this.#answers.promise, aborted(signal)]));
  }

  /** Ends the run at once; the next one begins by itself. At most one restart at a time. */
  async restart(reason: string): Promise<void> {
    const running = this.#process;
    if (this.#stopped || this.#address === undefined || running === undefined) {
      return;
    }
    this.#options.log.warn({ reason, pid: running.pid }, 'restarting telemetry engine');
    this.#down();
    await running.kill();
  }

  /**
   * Restarts the engine with users for a new database. `isClean`: no statement is cut short, so that
   * nothing has to be put in order afterwards.
   */
  async admit(database: string, isClean: boolean): Promise<void> {
    this.#databases.add(database);
    await this.ready();
    const running = this.#process;
    if (running === undefined || this.address.databases.has(database)) {
      return;
    }
    this.#options.log.info({ database }, 'restarting telemetry engine for a new database');
    // So that its end does not count as a failure.
    this.#process = undefined;
    this.#down();
    await running.kill();
    await this.#relaunch();
    if (!isClean) {
      this.#tellRestarted();
    }
  }

  /** Ends the engine. `clean`: all queries ended before, and nothing is left to recount. */
  async stop({ clean }: { clean: boolean }): Promise<void> {
    const isRunning = this.#address !== undefined;
    this.#stopped = true;
    this.#down();
    this.#answers.reject(new TelemetryError('unavailable', 'the telemetry engine is closing'));
    this.#stop.abort();
    await this.#process?.kill();
    if (this.#options.accessFile !== undefined && this.#ownsDirectory) {
      await removeEngineAccess(this.#options.accessFile);
    }
    if (clean && isRunning) {
      markCleanStop(this.#options.path);
    }
  }

  #down(): void {
    if (this.#address !== undefined) {
      this.#address = undefined;
      this.#answers = deferred();
    }
  }

  /** A table was created or changed that remembers insert tokens. */
  tokensChanged(): void {
    this.#tokens.writeThrough();
  }

  /** Starts one run and waits until it answers. */
  async #launch(): Promise<void> {
    this.#tokens.repair();
    this.#tokens.writeThrough();
    const folder = await mkdtemp(join(tmpdir(), 'sightline-engine-'));
    try {
      const address: EngineAddress = {
        url: `http://127.0.0.1:${await freePort()}`,
        secret: randomBytes(32).toString('hex'),
        databases: new Set([...this.#databases, ...(await knownDatabases(this.#options.path))]),
      };
      const configuration = await this.#writeFiles(folder, address);
      const run = new EngineProcess(
        [
          `--config-file=${configuration}`,
          `--path=${this.#options.path}`,
          '--log-level=warning',
          '--query',
          start,
        ],
        (line) => logEngineLine(this.#options.log, line),
      );
      this.#process = run;
      if (this.#stopped) {
        await run.kill();
        throw new TelemetryError('unavailable', 'the telemetry engine is closing');
      }
      await this.#answering(run, address);
      this.#ownsDirectory = true;
      if (this.#options.accessFile !== undefined) {
        await writeEngineAccess(this.#options.accessFile, address);
      }
      this.#brokenParts = await logBrokenParts(address, this.#options.log);
      this.#address = address;
      this.#answers.resolve();
      void run.ended.then(() => this.#ended(run));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #writeFiles(folder: string, address: EngineAddress): Promise<string> {
    const usersFile = join(folder, 'users.xml');
    const file = join(folder, 'configuration.xml');
    const { memoryMib, backupFolder, egress } = this.#options;
    const port = Number(new URL(address.url).port);
    await writeFile(usersFile, engineUsers(address.secret, address.databases), { mode: 0o600 });
    const configuration = engineConfiguration({ port, usersFile, memoryMib, backupFolder, egress });
    await writeFile(file, configuration, { mode: 0o600 });
    return file;
  }

  async #answering(run: EngineProcess, address: EngineAddress): Promise<void> {
    const deadline = performance.now() + startLimitMs;
    while (!(await answers(address))) {
      if (!run.running) {
        await run.ended;
        throw await startError(run.output, this.#options.path);
      }
      if (performance.now() > deadline) {
        await run.kill();
        throw new TelemetryError(
          'unavailable',
          `the telemetry engine did not answer within ${startLimitMs / 1000} s`,
        );
      }
      await wait(pollMs);
    }
  }

  #ended(run: EngineProcess): void {
    if (this.#stopped || run !== this.#process) {
      return;
    }
    this.#down();
    this.#restarts += 1;
    this.#options.log.error({ pid: run.pid }, 'telemetry engine exited; restarting');
    void this.#relaunch().then(() => this.#tellRestarted());
  }

  #tellRestarted(): void {
    if (this.#stopped) {
      return;
    }
    for (const listener of this.#restartListeners) {
      listener();
    }
  }

  /** Tries until the engine answers or is stopped. */
  async #relaunch(): Promise<void> {
    for (let pauseMs = backOffMs.first; ; pauseMs = Math.min(pauseMs * 2, backOffMs.most)) {
      try {
        await this.#launch();
        this.#options.log.info({ pid: this.pid }, 'telemetry engine restarted');
        return;
      } catch (error) {
        if (this.#stopped) {
          return;
        }
        this.#options.log.error({ err: error }, 'cannot start telemetry engine; retrying');
        await wait(pauseMs, undefined, { signal: this.#stop.signal }).catch(() => {});
      }
    }
  }
}

interface Deferred {
  promise: Promise<void>;
  resolve(): void;
  reject(error: Error): void;
}

function deferred(): Deferred {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((...callbacks) => {
    [resolve, reject] = callbacks;
  });
  // Nobody may be waiting when it is rejected.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answers(address: EngineAddress): Promise<boolean> {
  try {
    return (await askAdmin(address, 'SELECT 1')) === '1\n';
  } catch {
    return false;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = (): void =>
      reject(new TelemetryError('unavailable', 'the telemetry engine is starting; try again'));
    if (signal.aborted) {
      refuse();
    } else {
      signal.addEventListener('abort', refuse, { once: true });
    }
  });
}

/** Why a first run ended: the engine says it in its log, and who holds its lock in the lock's file. */
async function startError(output: string, path: string): Promise<TelemetryError> {
  const cause = new Error(output);
  if (/Cannot lock file|another server instance/i.test(output)) {
    const holder = await lockHolder(path);
    const who = holder === undefined ? 'another process' : `process ${holder}`;
    return new TelemetryError(
      'unavailable',
      `cannot open the telemetry directory ${path}: ${who} uses it. ` +
        'Stop that process, or set SIGHTLINE_DATA_DIR to another directory.',
      { cause },
    );
  }
  const reason =
    output.split('\n').findLast((line) => line.trim() !== '') ?? 'the engine reported no error';
  return new TelemetryError(
    'unavailable',
    `cannot start the telemetry engine on ${path}: ${reason}`,
    { cause },
  );
}

async function lockHolder(path: string): Promise<string | undefined> {
  try {
    return /PID: (\d+)/.exec(await readFile(join(path, 'status'), 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
