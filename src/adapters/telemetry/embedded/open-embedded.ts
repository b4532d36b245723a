import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import type { Log } from '../../../ports/ambient.ts';
import type { Egress } from '../../../ports/egress.ts';
import type { Purpose, Telemetry } from '../../../ports/telemetry.ts';
import { literal } from '../../../sql/sql.ts';
import { connectionsFor, EngineClient } from '../engine-client.ts';
import { EngineTelemetry } from '../engine-telemetry.ts';
import type { Endpoint } from '../engine.ts';
import { HttpEngine } from '../http-engine.ts';
import type { QueryLimits } from '../fairness/fair-limiter.ts';
import { adminUser, isConfined, passwordOf, userFor } from '../rights/engine-users.ts';
import { IntakeLog, type IntakeLogOptions } from '../intake-log/intake-log.ts';
import { LoggedTelemetry } from '../intake-log/logged-telemetry.ts';
import type { SchemaOptions } from '../tables/schema.ts';
import { askAdmin } from './ask-admin.ts';
import { EgressProxy } from './egress-proxy.ts';
import { EgressRelay } from './egress-relay.ts';
import type { EngineAddress } from './engine-address.ts';
import { EngineLauncher } from './engine-launcher.ts';

export interface EmbeddedOptions extends SchemaOptions {
  /** The engine's directory, made when it is missing. One engine at a time. */
  path: string;
  limits?: Partial<QueryLimits>;
  /**
   * Databases that will be used. The engine has users for each of them and for those in its
   * directory; for any other it is restarted when the database is used first.
   */
  databases?: readonly string[] | undefined;
  /** The most memory the engine may use, in MiB; half of the machine's by default. */
  memoryMib?: number | undefined;
  /** The only folder that BACKUP writes to and RESTORE reads from. */
  backupFolder?: string | undefined;
  /** File that tells commands on this machine where the engine answers. */
  accessFile?: string | undefined;
  /** A log for small blocks of OTLP before the engine; absent: each block is an insert. */
  intakeLog?: Pick<IntakeLogOptions, 'folder' | 'join' | 'limits'> | undefined;
  /** Where the engine may fetch objects by itself; absent: anywhere. */
  egress?: EngineEgress;
  /** How long `close` waits for queries to end before it stops them. */
  closeWaitMs?: number;
  /** Gets the engine's own warnings, and its starts and ends. */
  log?: Log;
}

export interface EngineEgress {
  guard: Pick<Egress, 'resolve'>;
  /** Hosts and addresses that the operator allowed: the engine connects to them directly. */
  trusted: readonly string[];
  /**
   * Regions of S3-compatible services by `host` or `host:port`. Elsewhere the engine signs AWS's
   * own, or us-east-1.
   */
  regions?: Readonly<Record<string, string>>;
}

const defaultLimits: QueryLimits = {
  chart: { width: 4, queueLimit: 64 },
  export: { width: 4, queueLimit: 16 },
  alert: { width: 2, queueLimit: 64 },
  ingest: { width: 2, queueLimit: 64 },
  pipe: { width: 2, queueLimit: 64 },
  load: { width: 2, queueLimit: 64 },
  admin: { width: 2, queueLimit: 64 },
};

const silent: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silent,
};

/**
 * Starts the embedded engine on a directory: a process of its own, which ends with this one.
 * @throws TelemetryError unavailable when it does not start, such as when another process uses the
 * directory.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Telemetry> {
  const limits = { ...defaultLimits, ...options.limits };
  const { guard, trusted = [], regions = {} } = options.egress ?? {};
  const proxy = guard && (await EgressProxy.open(guard));
  const relay = guard && new EgressRelay(guard);
  try {
    const launcher = await EngineLauncher.open({
      path: resolve(options.path),
      memoryMib: options.memoryMib ?? defaultMemoryMib(),
      backupFolder: options.backupFolder,
      accessFile: options.accessFile,
      databases: options.databases,
      egress: proxy && { proxyUrl: proxy.url, trusted, regions },
      log: options.log ?? silent,
    });
    const endpoint = new EmbeddedEndpoint(launcher, limits, proxy, relay);
    const closeWaitMs = options.closeWaitMs ?? 3_000;
    const telemetry = new EngineTelemetry(
      new HttpEngine({ endpoint, limits, closeWaitMs }),
      options,
    );
    return options.intakeLog === undefined
      ? telemetry
      : await logged(telemetry, options.intakeLog, options);
  } catch (error) {
    proxy?.close();
    relay?.close();
    throw error;
  }
}

async function logged(
  telemetry: Telemetry,
  { folder, join, limits }: Pick<IntakeLogOptions, 'folder' | 'join' | 'limits'>,
  { syncTelemetry = true, log = silent }: EmbeddedOptions,
): Promise<Telemetry> {
  try {
    const intake = await IntakeLog.open({
      folder: resolve(folder),
      isSynced: syncTelemetry,
      insert: (...call) => telemetry.insert(...call),
      join,
      log,
      limits,
    });
    return new LoggedTelemetry(telemetry, intake);
  } catch (error) {
    await telemetry.close();
    throw error;
  }
}

/** Half of what this process may use: a limit of its control group counts, where there is one. */
function defaultMemoryMib(): number {
  const limit = process.constrainedMemory();
  const available = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.max(512, Math.floor(available / 2 / 2 ** 20));
}

/** The engine's process as seen by its client, which is made anew for each run of it. */
class EmbeddedEndpoint implements Endpoint {
  readonly embedded = true;
  readonly onCluster = '';
  readonly #launcher: EngineLauncher;
  readonly #limits: QueryLimits;
  readonly #proxy: EgressProxy | undefined;
  readonly #relay: EgressRelay | undefined;
  #run: { address: EngineAddress; client: EngineClient } | undefined;

  constructor(
    launcher: EngineLauncher,
    limits: QueryLimits,
    proxy: EgressProxy | undefined,
    relay: EgressRelay | undefined,
  ) {
    this.#launcher = launcher;
    this.#limits = limits;
    this.#proxy = proxy;
    this.#relay = relay;
  }

  get guardsEgress(): boolean {
    return this.#proxy !== undefined;
  }

  async relayFor(origin: string): Promise<string | undefined> {
    return this.#relay?.originFor(origin);
  }

  get process(): EngineLauncher {
    return this.#launcher;
  }

  get secrets(): readonly string[] {
    const { secret } = this.#run?.address ?? {};
    return secret === undefined ? [] : [secret, passwordOf(secret, adminUser)];
  }

  get starting(): boolean {
    return this.#launcher.starting;
  }

  get client(): EngineClient {
    const { address } = this.#launcher;
    if (this.#run?.address !== address) {
      this.#closeClient();
      const client = new EngineClient({
        url: new URL(address.url),
        username: adminUser,
        password: passwordOf(address.secret, adminUser),
        connections: connectionsFor(this.#limits),
      });
      this.#run = { address, client };
    }
    return this.#run.client;
  }

  auth(purpose: Purpose, database: string | undefined) {
    const username = userFor(purpose, database);
    return { username, password: passwordOf(this.#launcher.address.secret, username) };
  }

  admits(purpose: Purpose, database: string | undefined): boolean {
    return (
      database === undefined ||
      !isConfined(purpose) ||
      this.#launcher.address.databases.has(database)
    );
  }

  async hasDatabase(database: string): Promise<boolean> {
    const query = `SELECT count() FROM system.databases WHERE name = ${literal(database).text}`;
    return (await askAdmin(this.#launcher.address, query)) !== '0\n';
  }

  confines(): Promise<boolean> {
    return Promise.resolve(true);
  }

  renews(): boolean {
    return false;
  }

  withdraw(): boolean {
    return false;
  }

  async admit(_: Purpose, database: string | undefined, isClean: boolean): Promise<void> {
    if (database !== undefined) {
      await this.#launcher.admit(database, isClean);
    }
  }

  ready(signal: AbortSignal): Promise<void> {
    return this.#launcher.ready(signal);
  }

  executed(text: string): void {
    if (text.includes('non_replicated_deduplication_window')) {
      this.#launcher.tokensChanged();
    }
  }

  stuck(): void {
    void this.#launcher.restart('a killed query did not end');
  }

  async close(options: { clean: boolean }): Promise<void> {
    await this.#launcher.stop(options);
    this.#closeClient();
    this.#proxy?.close();
    this.#relay?.close();
  }

  #closeClient(): void {
    void this.#run?.client.close();
    this.#run = undefined;
  }
}
