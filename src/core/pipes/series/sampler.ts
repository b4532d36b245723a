import type { PipeStatus } from '../../../ports/store/pipe-store.ts';
import type { TelemetryShard } from '../../../ports/telemetry.ts';
import { metricsOf } from '../api/pipe-reports.ts';
import type { PipesDependencies } from '../dependencies.ts';
import { shardsOf } from '../tables/shards.ts';
import { createMinuteTable, minuteColumns, minuteMs, minuteTable } from './minute-table.ts';

const timeoutMs = 20_000;

type Pipe = Pick<PipeStatus, 'workspaceId' | 'pipeId'>;

/** Writes the figures of pipes into the tables of minutes. */
export class Sampler {
  readonly #deps: PipesDependencies;
  /** Shards and databases that have the table. */
  readonly #prepared = new Set<string>();
  /** Pipes that have run here since the last sample. */
  readonly #pipes = new Map<string, Pipe>();
  readonly #isRunning: (pipeId: string) => boolean;
  #timer: NodeJS.Timeout | undefined;
  #sampling: Promise<void> | undefined;
  #stopped = false;

  constructor(deps: PipesDependencies, isRunning: (pipeId: string) => boolean) {
    this.#deps = deps;
    this.#isRunning = isRunning;
  }

  /** Samples at the begin of each minute. */
  start(): void {
    const wait = minuteMs - (this.#deps.clock.now() % minuteMs);
    this.#timer = setTimeout(() => {
      this.#sampling = this.sample().finally(() => {
        if (!this.#stopped) {
          this.start();
        }
      });
    }, wait);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#sampling;
  }

  /** From now on the pipe is sampled while it runs, and once more afterwards. */
  add(pipe: Pipe): void {
    this.#pipes.set(pipe.pipeId, pipe);
  }

  /** Pipes whose figures cannot be written lack this minute. Nothing else depends on it. */
  async sample(nowMs = this.#deps.clock.now()): Promise<void> {
    const pipes = [...this.#pipes.values()];
    for (const { pipeId } of pipes) {
      if (!this.#isRunning(pipeId)) {
        this.#pipes.delete(pipeId);
      }
    }
    const workspaces = new Set(pipes.map(({ workspaceId }) => workspaceId));
    for (const workspaceId of workspaces) {
      const own = pipes.filter((pipe) => pipe.workspaceId === workspaceId);
      try {
        await this.#write(workspaceId, own, nowMs);
      } catch (error) {
        this.#deps.log.warn({ err: error, workspaceId }, 'cannot write the figures of pipes');
      }
    }
  }

  async #write(workspaceId: string, pipes: readonly Pipe[], nowMs: number): Promise<void> {
    const workspace = await this.#deps.store.identity.workspace(workspaceId);
    const lines = (await Promise.all(pipes.map((pipe) => this.#line(pipe, nowMs)))).flat();
    const shards = shardsOf(this.#deps.telemetry);
    const shard = shards.choose(workspaceId, shards.present());
    if (!workspace || !shard || lines.length === 0) {
      return;
    }
    await this.#prepare(shard, workspace.database);
    await shard.insert(
      workspace.database,
      shard.stored(minuteTable),
      {
        format: 'JSONEachRow',
        columns: minuteColumns,
        data: Buffer.from(lines.join('')),
        rows: lines.length,
      },
      { purpose: 'pipe', timeoutMs },
    );
  }

  /** None if the pipe was deleted. */
  async #line({ workspaceId, pipeId }: Pipe, nowMs: number): Promise<string[]> {
    const { store, kinds } = this.#deps;
    const [document, totals, partitions] = await Promise.all([
      store.documents.get(workspaceId, 'pipe', pipeId),
      store.pipes.totals(workspaceId, pipeId),
      store.pipes.partitions(workspaceId, pipeId),
    ]);
    if (!document) {
      return [];
    }
    const metrics = metricsOf(kinds, document, totals, partitions);
    const { rows, bytes, errors, lag, retainedBytes = null, oldestUnprocessedAt } = metrics;
    const row = {
      pipe_id: pipeId,
      minute: Math.floor(nowMs / minuteMs) * (minuteMs / 1000),
      rows,
      bytes,
      errors,
      lag,
      retained_bytes: retainedBytes,
      oldest_at: oldestUnprocessedAt?.replace('T', ' ').replace('Z', '') ?? null,
    };
    return [`${JSON.stringify(row)}\n`];
  }

  async #prepare(shard: TelemetryShard, database: string): Promise<void> {
    const key = `${shard.name} ${database}`;
    if (!this.#prepared.has(key)) {
      await createMinuteTable(shard, database);
      this.#prepared.add(key);
    }
  }
}
