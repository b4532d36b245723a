import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import {
  TelemetryError,
  type EngineProcessStatus,
  type Purpose,
  type TakeRows,
} from '../../ports/telemetry.ts';
import { LinkedSignal } from '../../ports/linked-signal.ts';
import { literal } from '../../sql/sql.ts';
import type { EngineRequest } from './engine-client.ts';
import { connectionBroke, engineError } from './engine-errors.ts';
import type { Endpoint, Engine, EngineCall, EngineInsert, RowCast } from './engine.ts';
import { queryLimiters, type FairLimiter, type QueryLimits } from './fairness/fair-limiter.ts';
import { Admission } from './rights/admission.ts';
import { EngineEntry } from './rights/engine-entry.ts';
import { callsFile } from './rights/file-function.ts';
import { Pulse } from './pulse.ts';
import { isAwaited, isQuestion } from './rights/purposes.ts';
import { readRowStream, streamFormat } from './row-stream.ts';
import { supervise } from './supervise.ts';

export interface HttpEngineOptions {
  endpoint: Endpoint;
  limits: QueryLimits;
  /** How long `close` waits for queries to end before it stops them. */
  closeWaitMs: number;
}

const killTimeoutMs = 5_000;
const repeatPauseMs = 20;
/** How long `close` waits for queries to end after it has stopped them. */
const stopWaitMs = 2_000;

/** The engine over ClickHouse's HTTP interface. */
export class HttpEngine implements Engine {
  readonly #endpoint: Endpoint;
  readonly #limiters: Record<Purpose, FairLimiter>;
  readonly #closeWaitMs: number;
  readonly #closing = new AbortController();
  readonly #admission = new Admission();
  readonly #entry: EngineEntry;
  readonly #pulse: Pulse;

  constructor({ endpoint, limits, closeWaitMs }: HttpEngineOptions) {
    this.#endpoint = endpoint;
    this.#entry = new EngineEntry(endpoint, this.#admission);
    this.#pulse = new Pulse(endpoint);
    this.#limiters = queryLimiters(limits);
    this.#closeWaitMs = closeWaitMs;
  }

  get embedded(): boolean {
    return this.#endpoint.embedded;
  }

  get guardsEgress(): boolean {
    return this.#endpoint.guardsEgress;
  }

  confines(purpose: Purpose, database: string): Promise<boolean> {
    return this.#endpoint.confines(purpose, database);
  }

  withdraw(purpose: Purpose, database: string, reason: string): boolean {
    return this.#endpoint.withdraw(purpose, database, reason);
  }

  relayFor(origin: string): Promise<string | undefined> {
    return this.#endpoint.relayFor(origin);
  }

  get process(): EngineProcessStatus | undefined {
    return this.#endpoint.process;
  }

  async read(text: string, call: EngineCall): Promise<string> {
    this.#refuseFile(text, call);
    return this.#repeating(call, isCutShort, (again) =>
      this.#run(again, (request) =>
        this.#endpoint.client.text({
          ...request,
          query: `${text}\nFORMAT JSONCompact`,
          settings: { ...request.settings, readonly: '2', ...formattedByOneThread },
        }),
      ),
    );
  }

  async stream(text: string, call: EngineCall, take: TakeRows): Promise<void> {
    this.#refuseFile(text, call);
    await this.#run(call, async (request, halted) => {
      const stream = await this.#endpoint.client.stream({
        ...request,
        query: `${text}\nFORMAT ${streamFormat}`,
        settings: {
          ...request.settings,
          readonly: '2',
          wait_end_of_query: '0',
          // A compressed response that fails midway ends without the engine's reason.
          enable_http_compression: '0',
        },
      });
      try {
        await readRowStream(stream, take, halted);
      } catch (error) {
        await this.#kill(request.queryId).catch(() => {});
        throw halted.aborted ? new TelemetryError('aborted', 'stopped', { cause: error }) : error;
      }
    });
  }

  async execute(text: string, call: EngineCall): Promise<void> {
    this.#refuseFile(text, call);
    await this.#run(this.#withThreadsToWait(call), (request) =>
      this.#endpoint.client.text({ ...request, query: text }),
    );
    this.#endpoint.executed(text);
  }

  /**
   * A block has a deduplication token, so when the connection breaks it is sent again: an engine
   * that had stored it stores it once.
   */
  insert(call: EngineInsert): Promise<void> {
    return this.#repeating(
      call,
      () => true,
      (again) => this.#insert(again),
    );
  }

  /** Sends a statement again whose connection broke, if `mayRepeat`. */
  async #repeating<C extends EngineCall, T>(
    call: C,
    mayRepeat: (restarts: number) => boolean,
    send: (call: C) => Promise<T>,
  ): Promise<T> {
    const deadline = performance.now() + call.timeoutMs;
    for (;;) {
      const { restarts } = this.#admission;
      try {
        const timeoutMs = Math.max(1, Math.ceil(deadline - performance.now()));
        return await send({ ...call, timeoutMs });
      } catch (error) {
        const isRepeatable =
          this.#brokeByItself(call, error) && mayRepeat(this.#admission.restarts - restarts);
        if (!isRepeatable || performance.now() > deadline) {
          throw error;
        }
        await pause(repeatPauseMs);
      }
    }
  }

  #brokeByItself({ signal }: EngineCall, error: unknown): boolean {
    return (
      this.#endpoint.embedded &&
      connectionBroke(error) &&
      !this.#closing.signal.aborted &&
      signal?.aborted !== true
    );
  }

  async #insert(call: EngineInsert): Promise<void> {
    await this.#run(call, (request) =>
      this.#endpoint.client.text({ ...request, query: insertText(call), data: call.block.data }),
    );
  }

  async ping(timeoutMs: number): Promise<void> {
    await this.read('SELECT 1', { purpose: 'admin', timeoutMs, settings: {} });
  }

  async close({
    clean,
    withinMs = this.#closeWaitMs + stopWaitMs,
  }: Parameters<Engine['close']>[0]): Promise<void> {
    const deadline = performance.now() + withinMs;
    const waitMs = Math.max(0, Math.min(this.#closeWaitMs, withinMs / 2));
    const ended = Promise.all(Object.values(this.#limiters).map((each) => each.close()));
    const timer = setTimeout(() => this.#closing.abort(), waitMs);
    await Promise.race([ended, pause(Math.min(waitMs + stopWaitMs, withinMs * 0.8))]);
    clearTimeout(timer);
    // Breaks the connections of queries that still run.
    await this.#endpoint.close({ clean: clean && !this.#closing.signal.aborted });
    await Promise.race([ended, pause(Math.max(100, deadline - performance.now()))]);
  }

  async #run<T>(call: EngineCall, send: Send<T>): Promise<T> {
    const wait = AbortSignal.timeout(call.timeoutMs);
    const deadline = performance.now() + call.timeoutMs;
    const stop = new LinkedSignal(this.#closing.signal, call.signal);
    const turn = new LinkedSignal(stop.signal, wait);
    const { signal } = stop;
    let began = false;
    try {
      return await this.#limiters[call.purpose].run(
        async (isHeavy) => {
          began = true;
          const isShared = isHeavy || call.purpose === 'export';
          const shared = isShared ? this.#withFewThreads(call) : call;
          const attempt = async (): Promise<T> => {
            const leave = await this.#entry.admitted(call, turn.signal);
            try {
              const timeoutMs = Math.max(1, deadline - performance.now());
              return await this.#supervised(shared, send, signal, timeoutMs);
            } finally {
              leave();
            }
          };
          try {
            return await attempt();
          } catch (error) {
            if (!this.#endpoint.renews(error)) {
              throw error;
            }
            return await attempt();
          }
        },
        { signal: turn.signal, tenant: call.tenant },
      );
    } catch (error) {
      if (!began && wait.aborted && !signal.aborted) {
        throw new TelemetryError(
          'unavailable',
          `busy: waited ${call.timeoutMs} ms for a ${call.purpose} request`,
          { cause: error },
        );
      }
      throw this.#clean(engineError(error));
    } finally {
      turn.release();
      stop.release();
    }
  }

  /** Half of the processors stay free for the others. */
  #withFewThreads(call: EngineCall): EngineCall {
    if (!this.#endpoint.embedded || !isQuestion(call) || 'max_threads' in call.settings) {
      return call;
    }
    const threads = Math.max(1, Math.floor(availableParallelism() / 2));
    return { ...call, settings: { ...call.settings, max_threads: String(threads) } };
  }

  /** While some threads wait, the others keep the processors busy. */
  #withThreadsToWait(call: EngineCall): EngineCall {
    if (!this.#endpoint.embedded || call.waitsForSource !== true) {
      return call;
    }
    const threads = availableParallelism() + 2;
    return { ...call, settings: { max_threads: String(threads), ...call.settings } };
  }

  /** The embedded engine lets every user read files that way. */
  #refuseFile(text: string, { purpose }: EngineCall): void {
    if (this.#endpoint.embedded && purpose !== 'admin' && callsFile(text)) {
      throw new TelemetryError('other', 'the function file is not available');
    }
  }

  async #supervised<T>(
    call: EngineCall,
    send: Send<T>,
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<T> {
    const queryId = randomUUID();
    const abandon = new AbortController();
    const halt = new AbortController();
    const settings = {
      ...call.settings,
      max_execution_time: (timeoutMs / 1000).toFixed(3),
      wait_end_of_query: '1',
      cancel_http_readonly_queries_on_client_close: '1',
    };
    const auth = this.#endpoint.auth(call.purpose, call.tenant);
    try {
      const request = {
        auth,
        queryId,
        settings,
        signal: abandon.signal,
      };
      return await supervise(send(request, halt.signal), {
        signal,
        timeoutMs,
        stop: () => {
          halt.abort();
          return this.#kill(queryId);
        },
        stuck: () => this.#endpoint.stuck(),
        answers: isAwaited(call) ? () => this.#pulse.answers() : undefined,
      });
    } catch (error) {
      // Of a query that does not end: its connection would stay open.
      abandon.abort();
      throw error;
    }
  }

  async #kill(queryId: string): Promise<void> {
    await this.#endpoint.client.text({
      query: `KILL QUERY${this.#endpoint.onCluster} WHERE query_id = ${literal(queryId).text} ASYNC`,
      signal: AbortSignal.timeout(killTimeoutMs),
    });
  }

  /** The engine repeats what it was given; a password must not come back that way. */
  #clean(error: TelemetryError): TelemetryError {
    const { secrets } = this.#endpoint;
    if (!secrets.some((secret) => error.message.includes(secret))) {
      return error;
    }
    return new TelemetryError(
      error.kind,
      secrets.reduce((text, secret) => text.replaceAll(secret, '***'), error.message),
    );
  }
}

function insertText({ target, columns, block: { format }, cast }: EngineInsert): string {
  return `INSERT INTO ${target} (${columns})${cast ? ` ${selectText(cast)}` : ''} FORMAT ${format}`;
}

function selectText({ structure, values, condition }: RowCast): string {
  const select = `SELECT ${values} FROM input(${literal(structure).text})`;
  return condition === undefined ? select : `SELECT * FROM (${select}) WHERE ${condition}`;
}

/** For results of up to 50,000 rows, several threads take longer and cost more. */
const formattedByOneThread = { output_format_parallel_formatting: '0' };

/** `halted` fires when the query is to end early: its caller went away, or its time is over. */
type Send<T> = (request: Required<EngineRequest>, halted: AbortSignal) => Promise<T>;

/** A restart on purpose may cut a query short; after a crash it could be the cause. */
const isCutShort = (restarts: number): boolean => restarts > 0;

async function pause(durationMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, durationMs).unref());
}
