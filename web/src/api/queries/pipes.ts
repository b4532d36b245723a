import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Versioned } from '../client.ts';
import {
  askNotice,
  askResult,
  askResultPage,
  askResultVersion,
  managed,
  type ManagedSchemas,
} from '../managed.ts';
import { queries } from '../query-client.ts';
import type { Span } from '../../view/time-range.ts';
import { RateMeter } from '../../view/rate-meter.ts';
import { sessionQuery } from './session.ts';

export type Pipe = ManagedSchemas['Pipe'];
export type PipeState = ManagedSchemas['PipeState'];
export type PipeSource = ManagedSchemas['PipeSource'];
export type PipeError = ManagedSchemas['PipeError'];
export type PipeReplay = ManagedSchemas['PipeReplay'];
export type PipeChange = ManagedSchemas['PipeUpdateBody'];
export type PipeScaling = ManagedSchemas['PipeScalingInput'];
export type PipeSettings = ManagedSchemas['PipeSettings'];
export type PipeTable = ManagedSchemas['PipePostgresTableMappingResult'];
export type PipeCommand = ManagedSchemas['PipeStateBody']['command'];
export type VersionedPipe = Versioned<Pipe>;

/** Counts of a pipe. */
export type PipeCounts = ManagedSchemas['ListedPipeMetrics'] & {
  /** Rows per second; undefined until two readings are far enough apart. */
  rowRate: number | undefined;
};
export type ListedPipe = Omit<ManagedSchemas['ListedPipe'], 'metrics'> & { counts: PipeCounts };
export type PipeMetrics = PipeCounts & Pick<ManagedSchemas['PipeMetrics'], 'checkpoint'>;

export type PipePoint = ManagedSchemas['PipeMetricsPoint'];
/** Figures of a pipe at the begin of minutes, oldest first. */
export interface PipeSeries {
  span: Span;
  points: readonly PipePoint[];
}

const minuteMs = 60_000;
const key = ['pipes'];
const rows = new RateMeter();

type ServicePath = Record<'organizationId' | 'serviceId', string>;

/** The service of the session, in paths of the managed surface. */
export async function service(): Promise<ServicePath> {
  const { organizationId, serviceId } = await queries.ensureQueryData(sessionQuery);
  return { organizationId, serviceId };
}

const pathOf = async (pipeId: string) => ({ ...(await service()), pipeId });

const pageSize = 1000;
const listMax = 5000;

/** The first pipes with their counts, and the number of all. */
export const pipeListQuery = queryOptions({
  queryKey: [...key, 'list'],
  queryFn: async ({ signal }) => {
    const path = await service();
    const pipes: ListedPipe[] = [];
    let total = 0;
    do {
      const query = { metrics: 'true', limit: pageSize, offset: pipes.length } as const;
      const params = { path, query };
      const page = await askResultPage(
        managed.GET('/organizations/{organizationId}/services/{serviceId}/pipes', {
          params,
          signal,
        }),
      );
      pipes.push(...page.items.map(listed));
      total = page.total;
      if (page.items.length === 0) {
        break;
      }
    } while (pipes.length < Math.min(total, listMax));
    return { pipes, total };
  },
  staleTime: 5000,
});

const noCounts: ManagedSchemas['ListedPipeMetrics'] = {
  rows: 0,
  bytes: 0,
  errors: 0,
  batches: 0,
  lag: null,
  oldestUnprocessedAt: null,
  lastError: null,
};

function listed({ metrics = noCounts, ...pipe }: ManagedSchemas['ListedPipe']): ListedPipe {
  const rowRate = rows.read(pipe.id, metrics.rows, Date.now());
  return { ...pipe, counts: { ...metrics, rowRate } };
}

const one = '/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}';

export const pipeQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, id],
    queryFn: async ({ signal }) =>
      askResultVersion(managed.GET(one, { params: { path: await pathOf(id) }, signal })),
    staleTime: 2000,
  });

/** The pipe as it is now. */
export const readPipe = (id: string): Promise<VersionedPipe> =>
  queries.fetchQuery({ ...pipeQuery(id), staleTime: 0 });

export const pipeMetricsQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, id, 'metrics'],
    queryFn: async ({ signal }): Promise<PipeMetrics> => {
      const params = { path: await pathOf(id) };
      const metrics = await askResult(managed.GET(`${one}/metrics`, { params, signal }));
      return { ...metrics, rowRate: rows.read(id, metrics.rows, Date.now()) };
    },
    staleTime: 2000,
  });

/** The figures of each minute of the last hours, at most 24, up to the minute that runs now. */
export const pipeSeriesQuery = (id: string, hours: number) =>
  queryOptions({
    queryKey: [...key, id, 'series', hours],
    queryFn: async ({ signal }): Promise<PipeSeries> => {
      const endMs = Math.ceil(Date.now() / minuteMs) * minuteMs;
      const span = { startMs: endMs - hours * 60 * minuteMs, endMs };
      const query = { from: isoTime(span.startMs), to: isoTime(span.endMs) };
      const params = { path: await pathOf(id), query };
      const { series = [] } = await askResult(managed.GET(`${one}/metrics`, { params, signal }));
      return { span, points: series };
    },
    refetchInterval: minuteMs,
    staleTime: 10_000,
  });

const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Every setting of a pipe, with defaults for those that were not set. */
export const pipeSettingsQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, id, 'settings'],
    queryFn: async ({ signal }) =>
      askResult(managed.GET(`${one}/settings`, { params: { path: await pathOf(id) }, signal })),
    staleTime: 2000,
  });

const errorsPage = 50;

/** Records that could not be stored, newest first, page after page. */
export const pipeErrorsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...key, id, 'errors'],
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: errorsPage, offset: pageParam };
      const params = { path: await pathOf(id), query };
      return askResultPage(managed.GET(`${one}/errors`, { params, signal }));
    },
    initialPageParam: 0,
    getNextPageParam: ({ items, total }, _pages, offset) =>
      offset + items.length < total && items.length > 0 ? offset + items.length : undefined,
    staleTime: 5000,
  });

const replayPollMs = 1000;

/** Whether a replay is under way. */
export const isReplaying = ({ state }: PipeReplay): boolean =>
  state === 'Pending' || state === 'Running';

/** The last replay of the bad records of a pipe. When it ends, what is on the screen follows. */
export const pipeReplayQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, id, 'replay'],
    queryFn: async ({ signal, client, queryKey }): Promise<PipeReplay> => {
      const before = client.getQueryData<PipeReplay>(queryKey);
      const path = await pathOf(id);
      const replay = await askResult(
        managed.GET(`${one}/errors/replay`, { params: { path }, signal }),
      );
      if (before && isReplaying(before) && !isReplaying(replay)) {
        void refreshBut(queryKey);
      }
      return replay;
    },
    refetchInterval: ({ state }) => (state.data && isReplaying(state.data) ? replayPollMs : false),
    staleTime: 2000,
  });

/** Stores the bad records of a pipe once more. */
export async function replayPipe(id: string): Promise<void> {
  const params = { path: await pathOf(id) };
  const replay = await askResult(managed.POST(`${one}/errors/replay`, { params }));
  queries.setQueryData(pipeReplayQuery(id).queryKey, replay);
}

const refreshBut = (queryKey: readonly unknown[]): Promise<void> =>
  queries.invalidateQueries({
    queryKey: key,
    predicate: (query) => query.queryKey.join() !== queryKey.join(),
  });

const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: key });

/** Starts, stops or resyncs a pipe. It answers as it is then. */
export async function commandPipe(id: string, command: PipeCommand): Promise<Pipe> {
  const params = { path: await pathOf(id) };
  return askResult(managed.PATCH(`${one}/state`, { params, body: { command } }));
}

/** The same, and what is on the screen follows. */
export async function commandOnePipe(id: string, command: PipeCommand): Promise<Pipe> {
  const pipe = await commandPipe(id, command);
  await refresh();
  return pipe;
}

/** What came of a command for one of several pipes. */
export interface CommandResult {
  id: string;
  /** The state that the command led to, or why there was no change. */
  outcome: { state: PipeState } | { error: Error };
}

/** Sends a command to several pipes, one after the other. One that fails stops no other. */
export async function commandPipes(
  ids: readonly string[],
  command: PipeCommand,
): Promise<CommandResult[]> {
  const results: CommandResult[] = [];
  for (const id of ids) {
    try {
      const { state } = await commandPipe(id, command);
      results.push({ id, outcome: { state } });
    } catch (error) {
      results.push({ id, outcome: { error: error as Error } });
    }
  }
  await refresh();
  return results;
}

/**
 * Changes that version of a pipe.
 *
 * @throws ApiError 412 if somebody changed it in between.
 */
export async function updatePipe(
  id: string,
  version: string,
  body: PipeChange,
): Promise<VersionedPipe> {
  const params = { path: await pathOf(id), header: { 'If-Match': version } };
  return changed(await askResultVersion(managed.PATCH(one, { params, body })));
}

/** @throws ApiError 412 if somebody changed it in between. */
export async function scalePipe(
  id: string,
  version: string,
  body: PipeScaling,
): Promise<VersionedPipe> {
  const params = { path: await pathOf(id), header: { 'If-Match': version } };
  return changed(await askResultVersion(managed.PATCH(`${one}/scaling`, { params, body })));
}

async function changed(pipe: VersionedPipe): Promise<VersionedPipe> {
  queries.setQueryData(pipeQuery(pipe.item.id).queryKey, pipe);
  await refresh();
  return pipe;
}

/**
 * Deletes a pipe.
 *
 * @param force leaves what the pipe made at its source
 * @returns what is left to be done; undefined: nothing
 * @throws ApiError 412 if somebody changed it in between.
 */
export async function deletePipe(
  id: string,
  version: string,
  force: boolean,
): Promise<string | undefined> {
  const params = {
    path: await pathOf(id),
    header: { 'If-Match': version },
    query: force ? ({ force: 'true' } as const) : {},
  };
  const notice = await askNotice(managed.DELETE(one, { params }));
  await queries.invalidateQueries({
    queryKey: key,
    predicate: ({ queryKey }) => queryKey[1] !== id,
  });
  return notice;
}
