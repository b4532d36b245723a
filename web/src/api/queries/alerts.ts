import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, ask, askVersion, type Schemas, type Versioned } from '../client.ts';
import { allPages } from '../all-pages.ts';
import { queries } from '../query-client.ts';

export type Alert = Schemas['Alert'];
export type AlertInput = Schemas['AlertInput'];
export type AlertChange = Schemas['AlertChange'];
export type AlertEvaluation = Schemas['AlertEvaluation'];
export type AlertState = Schemas['AlertState'];
export type AlertExplanation = Schemas['AlertExplanation'];
export type Acknowledgement = Schemas['Acknowledgement'];
export type Delivery = Schemas['Delivery'];
export type RecentEvaluation = Schemas['RecentEvaluation'];

export type VersionedAlert = Versioned<Alert>;

const key = ['alerts'];

export const alertsQuery = queryOptions({
  queryKey: key,
  queryFn: ({ signal }) =>
    allPages((offset) => ask(api.GET('/alerts', { params: { query: { offset } }, signal }))),
});

/** The alert as it was when its editor was opened: a later change of another person is a conflict. */
export const openedAlertQuery = (id: string) =>
  queryOptions({
    queryKey: ['opened-alert', id],
    queryFn: ({ signal }) =>
      askVersion(api.GET('/alerts/{id}', { params: { path: { id } }, signal })),
    staleTime: Infinity,
    gcTime: 0,
  });

const pageSize = 1000;
const listMax = 5000;
/** Evaluations of the strip in a list. */
export const recentCount = 20;

/** The first alerts with their last evaluations, and the number of all. */
export const alertListQuery = queryOptions({
  queryKey: [...key, 'recent'],
  queryFn: async ({ signal }) => {
    const alerts: Alert[] = [];
    let total = 0;
    do {
      const query = { recent: recentCount, limit: pageSize, offset: alerts.length };
      const answered = api.GET('/alerts', { params: { query }, signal });
      const page = await ask(answered);
      const { response } = await answered;
      alerts.push(...page);
      total = Number(response.headers.get('x-total-count') ?? alerts.length);
      if (page.length === 0) {
        break;
      }
    } while (alerts.length < Math.min(total, listMax));
    return { alerts, total };
  },
  staleTime: 5000,
});

export const alertQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, id],
    queryFn: ({ signal }) =>
      askVersion(api.GET('/alerts/{id}', { params: { path: { id } }, signal })),
    staleTime: 5000,
  });

/** Evaluations that ended within a range, in milliseconds. */
export interface HistoryOf {
  id: string;
  startMs: number;
  endMs: number;
}

/** Evaluations, newest first. */
export interface AlertHistory {
  evaluations: AlertEvaluation[];
  /** The range has older evaluations that were not read. */
  isCut: boolean;
}

const historyPages = 6;
/** The first page tells how many groups an evaluation has. */
const firstPage = 100;
const largestPage = 1000;
/** Results of groups in all pages. */
const groupLinesMax = 20_000;

export const alertHistoryQuery = ({ id, startMs, endMs }: HistoryOf) =>
  queryOptions({
    queryKey: [...key, id, 'history', startMs, endMs],
    queryFn: ({ signal }) => readHistory({ id, startMs, endMs }, signal),
    placeholderData: keepPreviousData,
    staleTime: 5000,
  });

async function readHistory(
  { id, startMs, endMs }: HistoryOf,
  signal: AbortSignal,
): Promise<AlertHistory> {
  const evaluations: AlertEvaluation[] = [];
  let limit = firstPage;
  let beforeMs = endMs + 1;
  for (let page = 0; page < historyPages; page++) {
    const query = { limit: String(limit), before: new Date(beforeMs).toISOString() };
    const params = { path: { id }, query };
    const items = await ask(api.GET('/alerts/{id}/history', { params, signal }));
    const within = items.filter(({ windowEnd }) => Date.parse(windowEnd) > startMs);
    evaluations.push(...within);
    if (within.length < limit) {
      return { evaluations, isCut: false };
    }
    const lines = evaluations.reduce((sum, { groups }) => sum + (groups?.length ?? 1), 0);
    if (lines >= groupLinesMax) {
      break;
    }
    limit = lines <= 2 * evaluations.length ? largestPage : firstPage;
    beforeMs = Date.parse(within.at(-1)?.windowEnd ?? '');
  }
  return { evaluations, isCut: true };
}

/** The last evaluations, newest first. */
export const newestEvaluationsQuery = (id: string, lastEvaluatedAt: string | undefined) =>
  queryOptions({
    queryKey: [...key, id, 'newest', lastEvaluatedAt],
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: { limit: String(firstPage) } };
      return ask(api.GET('/alerts/{id}/history', { params, signal }));
    },
    placeholderData: keepPreviousData,
    staleTime: 5000,
  });

const deliveriesPage = 50;

/** Deliveries of an alert, newest first, page after page. */
export const alertDeliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...key, id, 'deliveries'],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: deliveriesPage, ...(pageParam !== '' && { cursor: pageParam }) };
      return ask(api.GET('/alerts/{id}/deliveries', { params: { path: { id }, query }, signal }));
    },
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
    staleTime: 5000,
  });

/** Which window of which group to explain. */
export interface ExplainOf {
  id: string;
  /** End of the window; absent: the last one. */
  windowEndMs?: number | undefined;
  /** Absent: the group that determined the state. */
  group?: readonly string[] | undefined;
}

/** Why an alert did or did not notify. */
export const explanationQuery = ({ id, windowEndMs, group }: ExplainOf) =>
  queryOptions({
    queryKey: [...key, id, 'explain', windowEndMs, group],
    queryFn: ({ signal }) => {
      const query = {
        ...(windowEndMs !== undefined && { window: new Date(windowEndMs).toISOString() }),
        ...(group && { group: JSON.stringify(group) }),
      };
      return ask(api.GET('/alerts/{id}/explain', { params: { path: { id }, query }, signal }));
    },
    staleTime: 5000,
  });

export async function createAlert(body: AlertInput): Promise<Alert> {
  const made = await ask(api.POST('/alerts', { body }));
  await queries.invalidateQueries({ queryKey: key });
  return made;
}

/**
 * Changes that version of an alert.
 *
 * @throws ApiError 412 if somebody changed it in between.
 */
export async function updateAlert(id: string, version: string, body: AlertChange): Promise<Alert> {
  const params = { path: { id }, header: { 'If-Match': version } };
  const changed = await ask(api.PUT('/alerts/{id}', { params, body }));
  await queries.invalidateQueries({ queryKey: key });
  return changed;
}

/** @throws ApiError 412 if somebody changed it in between. */
export async function deleteAlert(id: string, version: string): Promise<void> {
  const params = { path: { id }, header: { 'If-Match': version } };
  await ask(api.DELETE('/alerts/{id}', { params }));
  await queries.invalidateQueries({
    queryKey: key,
    predicate: ({ queryKey }) => queryKey[1] !== id,
  });
}

/** The alert as it is now. */
export const readAlert = (id: string): Promise<VersionedAlert> =>
  queries.fetchQuery({ ...alertQuery(id), staleTime: 0 });

/** @param untilMs end of the silence; absent: until somebody ends it. */
export async function silenceAlert(id: string, untilMs?: number): Promise<void> {
  const body = untilMs === undefined ? {} : { until: new Date(untilMs).toISOString() };
  await ask(api.POST('/alerts/{id}/silence', { params: { path: { id } }, body }));
  await queries.invalidateQueries({ queryKey: key });
}

export async function endSilence(id: string): Promise<void> {
  await ask(api.DELETE('/alerts/{id}/silence', { params: { path: { id } } }));
  await queries.invalidateQueries({ queryKey: key });
}

/** Acknowledges the incidents of all groups that fire, or of one. */
export async function acknowledgeAlert(
  id: string,
  body: Schemas['AcknowledgeInput'],
): Promise<void> {
  await ask(api.POST('/alerts/{id}/acknowledge', { params: { path: { id } }, body }));
  await queries.invalidateQueries({ queryKey: key });
}

/** Withdraws the acknowledgement of a group. */
export async function withdrawAcknowledgement(id: string, group: readonly string[]): Promise<void> {
  const query = { group: JSON.stringify(group) };
  await ask(api.DELETE('/alerts/{id}/acknowledge', { params: { path: { id }, query } }));
  await queries.invalidateQueries({ queryKey: key });
}
