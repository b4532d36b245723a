import type { Log } from '../../../ports/ambient.ts';
import { ShardAway, TelemetryError } from '../../../ports/telemetry.ts';
import type { EngineTelemetry } from '../engine-telemetry.ts';
import type { Server, ShardPlace } from './cluster-layout.ts';

/** A server of the cluster, with a connection for statements. */
export interface ShardServer extends Server {
  telemetry: EngineTelemetry;
}

export interface Shard extends ShardPlace {
  /** Undefined: the shard has not answered yet, so that its address is not known. */
  server: ShardServer | undefined;
  /** Why nothing is sent to it; undefined: it answers. */
  away: string | undefined;
}

/** A shard that answers. */
export type PresentShard = Shard & { server: ShardServer };

/** Milliseconds. */
export interface ShardTiming {
  /** After this time without an answer, the shards are asked whether they are there. */
  patienceMs: number;
  /** How long a shard may take to answer that. */
  probeMs: number;
  /** Pause between two questions to a shard that is away. */
  retryMs: number;
  /** How long a block without an answer is sent again. */
  unansweredMs: number;
}

export const defaultTiming: ShardTiming = {
  patienceMs: 1_000,
  probeMs: 4_000,
  retryMs: 1_000,
  unansweredMs: 120_000,
};

interface ShardsOptions {
  shards: readonly Shard[];
  log: Log;
  timing: ShardTiming;
  /** Finds the server of a shard that has not answered yet. */
  locate(shard: Shard): Promise<ShardServer | undefined>;
  /** Makes the tables of a shard that is back. */
  prepare(shard: PresentShard): Promise<void>;
}

/** The shards of a cluster: which of them answer. */
export class Shards {
  readonly all: readonly Shard[];
  readonly timing: ShardTiming;
  readonly #log: Log;
  readonly #locate: ShardsOptions['locate'];
  readonly #prepare: ShardsOptions['prepare'];
  readonly #returning: NodeJS.Timeout;
  #turn = 0;
  #probing: Promise<void> | undefined;
  #isAsking = false;
  #isClosed = false;

  constructor({ shards, log, timing, locate, prepare }: ShardsOptions) {
    this.all = shards;
    this.timing = timing;
    this.#log = log;
    this.#locate = locate;
    this.#prepare = prepare;
    this.#returning = setInterval(() => void this.#askAway(), timing.retryMs).unref();
  }

  get present(): PresentShard[] {
    return this.all.filter(isPresent);
  }

  get away(): Shard[] {
    return this.all.filter((shard) => !isPresent(shard));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The shards that answer take turns. @throws TelemetryError unavailable if there is none. */
  next(): PresentShard {
    const shards = this.present;
    const shard = shards[this.#turn++ % Math.max(1, shards.length)];
    if (shard === undefined) {
      throw new TelemetryError('unavailable', 'no shard of the ClickHouse cluster responds');
    }
    return shard;
  }

  markAway(shard: Shard, error: unknown): void {
    if (shard.away !== undefined || this.#isClosed) {
      return;
    }
    shard.away = error instanceof Error ? error.message : String(error);
    const { number, name, away } = shard;
    this.#log.warn({ shard: number, name, reason: away }, 'shard does not respond');
  }

  /** Asks every shard whether it is there. Those that do not answer in time are away from then on. */
  probe(): Promise<void> {
    this.#probing ??= this.#askPresent().finally(() => (this.#probing = undefined));
    return this.#probing;
  }

  /**
   * Waits for work. While it lasts, asks now and then whether all shards that it needs are there; if
   * one is not, calls `stop` and rejects.
   */
  async watch<T>(work: Promise<T>, needed: readonly PresentShard[], stop: () => void): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const lost = new Promise<never>((_, reject) => {
      const look = async (): Promise<void> => {
        await this.probe();
        const away = needed.filter((shard) => shard.away !== undefined);
        if (away.length > 0) {
          reject(awayError(away));
        } else if (timer !== undefined) {
          timer = setTimeout(() => void look(), this.timing.patienceMs);
        }
      };
      timer = setTimeout(() => void look(), this.timing.patienceMs);
    });
    try {
      return await Promise.race([work, lost]);
    } catch (error) {
      work.catch(() => {});
      stop();
      throw error;
    } finally {
      clearTimeout(timer);
      timer = undefined;
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#returning);
  }

  async #askPresent(): Promise<void> {
    await Promise.all(this.present.map((shard) => this.#ask(shard)));
  }

  async #ask(shard: PresentShard): Promise<void> {
    try {
      await shard.server.ask('SELECT 1', this.timing.probeMs);
    } catch (error) {
      this.markAway(shard, error);
    }
  }

  /** Looks whether shards are back. */
  async #askAway(): Promise<void> {
    if (this.#isAsking) {
      return;
    }
    this.#isAsking = true;
    await Promise.all(this.away.map((shard) => this.#welcome(shard)));
    this.#isAsking = false;
  }

  async #welcome(shard: Shard): Promise<void> {
    try {
      shard.server ??= await this.#locate(shard);
      if (shard.server === undefined) {
        return;
      }
      await shard.server.ask('SELECT 1', this.timing.probeMs);
      await this.#prepare(shard as PresentShard);
    } catch (error) {
      shard.away = error instanceof Error ? error.message : String(error);
      return;
    }
    if (!this.#isClosed) {
      shard.away = undefined;
      this.#log.info({ shard: shard.number, name: shard.name }, 'shard responds again');
    }
  }
}

export const isPresent = (shard: Shard): shard is PresentShard =>
  shard.away === undefined && shard.server !== undefined;

/** The error of work that needs shards which do not answer. */
export function awayError(away: readonly Shard[], cause?: unknown): ShardAway {
  const names = away.map(({ number, name }) => `${number} (${name})`).join(', ');
  return new ShardAway(`shard ${names} of the ClickHouse cluster does not respond`, { cause });
}
