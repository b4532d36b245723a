import { describe, expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { ChartBatches } from './chart-batches.ts';
import type { PartialResult, Schemas } from './client.ts';
import { Turns } from './turns.ts';

type Request = Schemas['BatchedRequest'];
type Result = Schemas['BatchedResult'];

const never = new AbortController().signal;
const atOnce = (): boolean => true;
const later = (): boolean => false;
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const points: Result = { type: 'series', points: [] };

const request = (sourceId: string): Request => ({
  type: 'series',
  series: [
    { sourceId, aggFn: 'count', where: '', whereLanguage: 'lucene', filters: [], groupBy: [] },
  ],
  startTime: 0,
  endTime: 1,
  granularity: '1m',
  seriesReturnType: 'column',
  other: false,
});

/** Calls of a server that answers when the test says so. */
class Server {
  readonly calls: { sources: string[]; signal: AbortSignal }[] = [];
  private readonly answers: ((answer: Result[] | Error) => void)[] = [];

  readonly send = (requests: Request[], signal: AbortSignal): Promise<PartialResult<Result[]>> => {
    this.calls.push({ sources: requests.map(({ series }) => series[0]?.sourceId ?? ''), signal });
    return new Promise((resolve, reject) => {
      this.answers.push((answer) =>
        answer instanceof Error ? reject(answer) : resolve({ data: answer, missingShards: [2] }),
      );
    });
  };

  answer(call: number, answer: Result[] | Error): Promise<void> {
    this.answers[call]?.(answer);
    return settled();
  }
}

function batchesOf(server: Server, callsAtOnce = 6): ChartBatches {
  return new ChartBatches(new Turns(callsAtOnce), server.send);
}

describe('ChartBatches', () => {
  it('sends what is asked at one moment together, by source, and urgent requests first', async () => {
    const server = new Server();
    const batches = batchesOf(server, 1);
    const asked = [
      batches.ask(request('a'), later, never),
      batches.ask(request('a'), atOnce, never),
      batches.ask(request('b'), atOnce, never),
      batches.ask(request('a'), atOnce, never),
    ];
    await settled();
    expect(server.calls.map(({ sources }) => sources)).toEqual([['a', 'a']]);
    await server.answer(0, [points, points]);
    await server.answer(1, [points]);
    await server.answer(2, [points]);
    expect(server.calls.map(({ sources }) => sources)).toEqual([['a', 'a'], ['b'], ['a']]);
    expect(await Promise.all(asked)).toEqual(
      asked.map(() => ({ data: points, missingShards: [2] })),
    );
  });

  it('sends at most 100 requests in a batch', async () => {
    const server = new Server();
    const batches = batchesOf(server);
    for (let count = 0; count < 101; count++) {
      void batches.ask(request('a'), atOnce, new AbortController().signal);
    }
    await settled();
    expect(server.calls.map(({ sources }) => sources.length)).toEqual([100, 1]);
  });

  it('fails a request alone, with the issues of its fields', async () => {
    const server = new Server();
    const batches = batchesOf(server);
    const good = batches.ask(request('a'), atOnce, never);
    const bad = batches.ask(request('a'), atOnce, never);
    const caught = bad.catch((error: unknown) => error);
    await settled();
    const errors = [{ path: 'series.0.where', message: 'has no such field' }];
    await server.answer(0, [
      points,
      { type: 'error', error: { message: 'no', code: 'bad_request', errors } },
    ]);
    expect((await good).data).toBe(points);
    const error = (await caught) as ApiError;
    expect([error.status, error.issueAt('series.0.where')]).toEqual([400, 'has no such field']);
  });

  it('asks again without a request that makes the batch a 400', async () => {
    const server = new Server();
    const batches = batchesOf(server);
    const bad = batches.ask(request('a'), atOnce, never);
    const good = batches.ask(request('a'), atOnce, never);
    const caught = bad.catch((error: unknown) => error);
    await settled();
    const message = 'is required for avg';
    const errors = [{ path: 'requests.0.series.0.field', message }];
    await server.answer(0, new ApiError(400, { message, errors }));
    expect(((await caught) as ApiError).issueAt('series.0.field')).toBe(message);
    expect(server.calls[1]?.sources).toEqual(['a']);
    await server.answer(1, [points]);
    expect((await good).data).toBe(points);
  });

  it('fails all requests if the call fails', async () => {
    const server = new Server();
    const batches = batchesOf(server);
    const asked = [1, 2].map(() => batches.ask(request('a'), atOnce, never));
    const caught = Promise.allSettled(asked);
    await settled();
    await server.answer(0, new ApiError(0, undefined));
    expect((await caught).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('leaves out what is cancelled before it is sent, and ends a call for which nobody waits', async () => {
    const server = new Server();
    const batches = batchesOf(server);
    const aborts = [1, 2, 3].map(() => new AbortController());
    const asked = Promise.allSettled(
      aborts.map(({ signal }) => batches.ask(request('a'), atOnce, signal)),
    );
    aborts[0]?.abort();
    await settled();
    expect(server.calls[0]?.sources).toEqual(['a', 'a']);
    aborts[1]?.abort();
    expect(server.calls[0]?.signal.aborted).toBe(false);
    aborts[2]?.abort();
    expect(server.calls[0]?.signal.aborted).toBe(true);
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
});
