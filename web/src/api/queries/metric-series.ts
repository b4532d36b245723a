import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Span } from '../../view/time-range.ts';
import { api, ask } from '../client.ts';
import type { MetricType } from './metrics.ts';

interface SeriesOf {
  sourceId: string;
  name: string;
  type: MetricType;
  span: Span;
}

const seriesMax = 1000;

/** The series of a metric, by service and attributes, with the number of their points. */
export const metricSeriesQuery = ({ sourceId, name, type, span }: SeriesOf, runId: number) =>
  queryOptions({
    queryKey: ['metrics', 'series', sourceId, name, type, span, runId],
    queryFn: ({ signal }) =>
      ask(
        api.POST('/charts/totals', {
          body: {
            series: [
              {
                sourceId,
                aggFn: 'count',
                where: '',
                whereLanguage: 'lucene',
                filters: [],
                metricName: name,
                metricDataType: type,
                groupBy: ['ServiceName', 'Attributes'],
              },
            ],
            startTime: Math.floor(span.startMs),
            endTime: Math.ceil(span.endMs),
            seriesReturnType: 'column',
            orderBy: { series: 0, direction: 'desc' },
            limit: seriesMax,
            other: false,
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
  });
