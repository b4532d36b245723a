import { ApiError } from './api-error.ts';
import type { PartialResult, Schemas } from './client.ts';
import type { Turns } from './turns.ts';

type Request = Schemas['BatchedRequest'];
type Result = Schemas['BatchedResult'];
type Values = Exclude<Result, { type: 'error' }>;
type Send = (requests: Request[], signal: AbortSignal) => Promise<PartialResult<Result[]>>;

interface Waiting {
  request: Request;
  /** Whether it goes before the others. */
  isUrgent(): boolean;
  signal: AbortSignal;
  resolve(result: PartialResult<Values>): void;
  reject(error: unknown): void;
}

/** What one batch takes. */
const requestsMax = 100;

/**
 * Sends the requests of a moment in batches, so that the server reads a table once for all of them.
 * Urgent requests and requests of other sources have batches of their own: they wait for nobody.
 */
export class ChartBatches {
  private readonly turns: Turns;
  private readonly send: Send;
  private waiting: Waiting[] = [];

  constructor(turns: Turns, send: Send) {
    this.turns = turns;
    this.send = send;
  }

  /** @throws ApiError of this request alone, with the paths of its own fields. */
  ask(
    request: Request,
    isUrgent: () => boolean,
    signal: AbortSignal,
  ): Promise<PartialResult<Values>> {
    return new Promise<PartialResult<Values>>((resolve, reject) => {
      const drop = (): void => reject(signal.reason);
      const settle = (): void => signal.removeEventListener('abort', drop);
      signal.addEventListener('abort', drop, { once: true });
      if (this.waiting.length === 0) {
        // Tiles that are shown together ask one after the other, within one task.
        setTimeout(() => this.sendWaiting());
      }
      this.waiting.push({
        request,
        isUrgent,
        signal,
        resolve: (result) => {
          settle();
          resolve(result);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
    });
  }

  private sendWaiting(): void {
    const waiting = this.waiting.filter(isWanted);
    this.waiting = [];
    const groups = grouped(
      waiting.toSorted((one, other) => Number(other.isUrgent()) - Number(one.isUrgent())),
      (one) => `${one.isUrgent()} ${one.request.series[0]?.sourceId}`,
    );
    for (const group of groups.values()) {
      for (let from = 0; from < group.length; from += requestsMax) {
        void this.settle(group.slice(from, from + requestsMax));
      }
    }
  }

  /** Gives each request its result or its error. The call ends once nobody waits for it. */
  private async settle(batch: readonly Waiting[]): Promise<void> {
    const call = new AbortController();
    const onAbort = (): void => {
      if (!batch.some(isWanted)) {
        call.abort();
      }
    };
    for (const { signal } of batch) {
      signal.addEventListener('abort', onAbort, { once: true });
    }
    const isUrgent = (): boolean => batch.some((one) => one.isUrgent());
    try {
      await this.turns.take(
        () => this.answer(batch.filter(isWanted), call.signal),
        isUrgent,
        call.signal,
      );
    } catch (error) {
      for (const one of batch) {
        one.reject(error);
      }
    } finally {
      for (const { signal } of batch) {
        signal.removeEventListener('abort', onAbort);
      }
    }
  }

  private async answer(batch: readonly Waiting[], signal: AbortSignal): Promise<void> {
    const requests = batch.map(({ request }) => request);
    try {
      const { data, missingShards } = await this.send(requests, signal);
      batch.forEach((one, index) => {
        const result = data[index];
        if (result && result.type !== 'error') {
          one.resolve({ data: result, missingShards });
        } else {
          one.reject(errorOf(result?.error));
        }
      });
    } catch (error) {
      const refused = refusedRequests(error);
      if (refused.size === 0) {
        throw error;
      }
      // One malformed request refuses the batch: the others are asked again without it.
      refused.forEach((own, index) => batch[index]?.reject(own));
      const others = batch.filter((one, index) => !refused.has(index) && isWanted(one));
      if (others.length > 0) {
        await this.answer(others, signal);
      }
    }
  }
}

const isWanted = ({ signal }: Waiting): boolean => !signal.aborted;

/** Only an unavailable engine may answer when it is asked again. */
const errorOf = (body: Schemas['BatchError'] | undefined): ApiError =>
  new ApiError(body?.code === 'unavailable' ? 503 : 400, body);

/** Items by their key, in the order of the first of each. */
function grouped<K, T>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key) ?? [];
    group.push(item);
    groups.set(key, group);
  }
  return groups;
}

const placeInBatch = /^requests\.(\d+)\.(.+)$/;

/** Errors of the requests that made a batch a 400, by their place. */
function refusedRequests(error: unknown): ReadonlyMap<number, ApiError> {
  const issues = error instanceof ApiError && error.status === 400 ? error.issues : [];
  const placed = issues.flatMap(({ path, message }) => {
    const [, index, own] = placeInBatch.exec(path) ?? [];
    return index === undefined || own === undefined
      ? []
      : [{ index: Number(index), path: own, message }];
  });
  const byIndex = grouped(placed, ({ index }) => index);
  return new Map(
    [...byIndex].map(([index, errors]) => {
      const message = errors.map((one) => `${one.path}: ${one.message}`).join('; ');
      return [index, new ApiError(400, { message, code: 'bad_request', errors })];
    }),
  );
}
