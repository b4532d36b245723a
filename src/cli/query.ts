import { durationMs } from '../contract/common.ts';
import { table } from './table.ts';

export interface QueryOptions {
  url: string;
  key: string | undefined;
  source: string;
  where: string;
  sql: boolean;
  since: string;
  format: 'table' | 'json';
}

export interface ChartOptions extends QueryOptions {
  agg: string;
  field?: string;
  level?: string;
  metric?: string;
  metricType?: string;
  groupBy?: string;
  granularity?: string;
}

export interface SearchOptions extends QueryOptions {
  select?: string;
  limit: string;
}

/** What went wrong, told to the person at the shell; exit code 1. */
export class CommandError extends Error {}

interface Named {
  id: string;
  name: string;
}
interface Point {
  ts_bucket: number;
  group?: string[];
  [series: string]: unknown;
}

/** `sightline query chart`: one series of a running server, as a table or JSON. */
export async function queryChart(options: ChartOptions): Promise<string> {
  const range = rangeOf(options.since);
  const groupBy = options.groupBy?.split(',').map((part) => part.trim());
  const points = await post<Point[]>(options, '/charts/series', {
    ...range,
    granularity: options.granularity ?? 'auto',
    series: [
      {
        sourceId: await sourceId(options),
        aggFn: options.agg,
        where: options.where,
        whereLanguage: options.sql ? 'sql' : 'lucene',
        ...(groupBy && { groupBy }),
        ...(options.field !== undefined && { field: options.field }),
        ...(options.level !== undefined && { level: numberOf('--level', options.level) }),
        ...(options.metric !== undefined && {
          metricName: options.metric,
          metricDataType: options.metricType ?? 'gauge',
        }),
      },
    ],
  });
  if (options.format === 'json') {
    return JSON.stringify(points, null, 2);
  }
  return table(
    ['time', ...(groupBy ?? []), options.agg],
    points.map((point) => [
      new Date(point.ts_bucket).toISOString(),
      ...(point.group ?? []),
      point['series_0.data'],
    ]),
  );
}

/** `sightline query search`: the newest matching rows. */
export async function querySearch(options: SearchOptions): Promise<string> {
  const body = {
    sourceId: await sourceId(options),
    where: options.where,
    whereLanguage: options.sql ? 'sql' : 'lucene',
    limit: numberOf('--limit', options.limit),
    ...rangeOf(options.since),
    ...(options.select !== undefined && { select: options.select }),
  };
  const result = await post<{ rows: Record<string, unknown>[] }>(options, '/search', body);
  if (options.format === 'json') {
    return JSON.stringify(result, null, 2);
  }
  const columns = Object.keys(result.rows[0] ?? {});
  return columns.length === 0
    ? 'no rows'
    : table(
        columns,
        result.rows.map((row) => columns.map((name) => row[name])),
      );
}

function numberOf(option: string, text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(number)) {
    throw new CommandError(`${option} must be a number, not ${JSON.stringify(text)}`);
  }
  return number;
}

function rangeOf(since: string): { startTime: number; endTime: number } {
  const ms = durationMs(since);
  if (ms === undefined) {
    throw new CommandError(
      `--since must be a duration such as 15m, 1h or 7d, not ${JSON.stringify(since)}`,
    );
  }
  const endTime = Date.now();
  return { startTime: endTime - ms, endTime };
}

/** A source is named by id or by name, whatever the case. */
async function sourceId(options: QueryOptions): Promise<string> {
  const sources = await call<Named[]>(options, 'GET', '/sources');
  const source = sources.find(
    ({ id, name }) => id === options.source || name.toLowerCase() === options.source.toLowerCase(),
  );
  if (!source) {
    throw new CommandError(
      `there is no source ${JSON.stringify(options.source)}; there are: ${sources.map(({ name }) => name).join(', ')}`,
    );
  }
  return source.id;
}

const post = <T>(options: QueryOptions, path: string, body: unknown): Promise<T> =>
  call<T>(options, 'POST', path, body);

async function call<T>(
  { url, key }: QueryOptions,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  if (key === undefined) {
    throw new CommandError(
      'an API access key is needed: --key, or SIGHTLINE_ACCESS_KEY in the environment',
    );
  }
  if (!/^https?:\/\/[^/]/.test(url)) {
    throw new CommandError(
      `--url must be an address such as http://127.0.0.1:8000, not ${JSON.stringify(url)}`,
    );
  }
  const address = `${url.replace(/\/+$/, '')}/api/v2${path}`;
  const response = await fetch(address, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: Error) => {
    throw new CommandError(
      `cannot reach ${address}: ` +
        `${(error.cause as Error | undefined)?.message ?? error.message}. ` +
        'Is the server running?',
    );
  });
  const answer = (await response.json().catch(() => ({}))) as { data?: T; message?: string };
  if (!response.ok || answer.data === undefined) {
    throw new CommandError(`${response.status}: ${answer.message ?? response.statusText}`);
  }
  return answer.data;
}
