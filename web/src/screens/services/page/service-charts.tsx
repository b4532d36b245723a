import { useQuery } from '@tanstack/react-query';
import { Table2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { pointsQuery, type PointsAnswer } from '../../../api/queries/services.ts';
import { Legend } from '../../../charts/legend.tsx';
import { TimeChart } from '../../../charts/time-chart.tsx';
import type { TimeData } from '../../../charts/time-data.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { Empty } from '../../../kit/state.tsx';
import { bucketStarts } from '../../../view/buckets.ts';
import { formatDuration } from '../../../view/number-format.ts';
import { fromSpan } from '../../../view/time-range.ts';
import { formatRate, formatShare } from '../model/format.ts';
import {
  bucketOf,
  columnsOf,
  is,
  linesOf,
  linesRequest,
  type Lines,
  type Scope,
} from '../model/figures.ts';
import { Region } from '../region.tsx';
import { SourceHelp } from '../source-help.tsx';
import type { ServicesModel } from '../use-services.ts';
import { ChartTable, type ServiceChart } from './chart-table.tsx';
import styles from '../services.module.css';

interface ServiceChartsProps {
  model: ServicesModel;
  service: string;
}

/** Requests, errors and durations over time, with one crosshair and one brush. */
export function ServiceCharts({ model, service }: ServiceChartsProps) {
  const { source, span, runId, zone, params } = model;
  const columns = columnsOf(source);
  const spans = params.spans ?? 'requests';
  const scope: Scope = { source, span, spans, filters: [is(columns.service, service)] };
  const request = pointsQuery({ body: linesRequest(scope, [columns.service]), runId });
  const query = useQuery(request);
  return (
    <section aria-label="Charts">
      <Region
        query={query}
        queryKey={request.queryKey}
        failed="The charts cannot be shown"
        reading="Reading spans"
        zone={zone}
        lines={5}
        help={<SourceHelp source={source} />}
      >
        {(answer) =>
          answer.points.length === 0 ? (
            <NoCalls model={model} service={service} />
          ) : (
            <ChartRow model={model} service={service} answer={answer} />
          )
        }
      </Region>
    </section>
  );
}

function NoCalls({ model: { params, show, zoomOut }, service }: ServiceChartsProps) {
  const isAll = params.spans === 'all';
  return (
    <Empty
      title={isAll ? `No span of ${service} in this range` : `No request to ${service}`}
      actions={
        <>
          <Button size="small" onClick={zoomOut}>
            Widen the range
          </Button>
          {!isAll && (
            <Button size="small" onClick={() => show({ spans: 'all' })}>
              Count all spans
            </Button>
          )}
        </>
      }
    >
      {!isAll &&
        'Requests are spans of the kinds server and consumer, and spans without a parent. ' +
          'None of this service is in the range.'}
    </Empty>
  );
}

interface ChartRowProps extends ServiceChartsProps {
  answer: PointsAnswer;
}

function ChartRow({ model, service, answer }: ChartRowProps) {
  const { source, zone, setRange, zoomOut } = model;
  const [isTableOpen, setTableOpen] = useState(false);
  const charts = useMemo(
    () => chartsOf(answer, columnsOf(source).nanos, service),
    [answer, source, service],
  );
  return (
    <>
      <div className={styles.charts}>
        {charts.map(({ title, format, data }, index) => (
          <section key={title} className={styles.chart} aria-label={title}>
            <div className={styles.chartHead}>
              <h2>{title}</h2>
              {data.series.length > 1 && <Legend series={data.series} />}
              {index === charts.length - 1 && (
                <IconButton label="Show as table" size="small" onClick={() => setTableOpen(true)}>
                  <Table2 size={14} aria-hidden />
                </IconButton>
              )}
            </div>
            <div className={styles.plot}>
              <TimeChart
                label={`${title} of ${service}`}
                kind="line"
                data={data}
                span={answer.span}
                zone={zone}
                syncKey="service"
                format={format}
                onZoom={(next) => setRange(fromSpan(next))}
                onZoomOut={zoomOut}
              />
            </div>
          </section>
        ))}
      </div>
      {isTableOpen && (
        <ChartTable
          title={service}
          charts={charts}
          zone={zone}
          onClose={() => setTableOpen(false)}
        />
      )}
    </>
  );
}

function chartsOf(answer: PointsAnswer, nanos: number, service: string): ServiceChart[] {
  const { ms: bucketMs } = bucketOf(answer.span);
  const timesMs = bucketStarts(answer.span, bucketMs);
  const lines = linesOf(answer, nanos).get(service);
  const data = (...parts: [name: string, values: keyof Lines, color: string][]): TimeData => ({
    timesMs,
    bucketMs,
    series: parts.map(([name, values, color]) => ({
      name,
      color,
      isDashed: false,
      values: lines?.[values] ?? [],
    })),
  });
  return [
    {
      title: 'Requests',
      format: formatRate,
      data: data(['Requests', 'calls', 'var(--series-1)']),
    },
    {
      title: 'Errors',
      format: formatShare,
      data: data(['Errors', 'errors', 'var(--bar-error)']),
    },
    {
      title: 'Duration',
      format: formatDuration,
      data: data(
        ['p50', 'p50', 'var(--series-1)'],
        ['p95', 'p95', 'var(--series-2)'],
        ['p99', 'p99', 'var(--series-3)'],
      ),
    },
  ];
}
