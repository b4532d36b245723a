import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../../../api/api-error.ts';
import { traceQuery, type Trace } from '../../../api/queries/trace.ts';
import { Empty, Failure, Skeleton } from '../../../kit/state.tsx';
import { formatDuration, plural } from '../../../view/number-format.ts';
import type { TraceLink } from '../trace-link.ts';
import panel from '../../../kit/panel.module.css';

/** The trace of the row in short, and the way to it. */
export function RowTrace({ link }: { link: TraceLink }) {
  const { data, error, isPending, refetch } = useQuery(traceQuery(link.traceId, link.at));
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Empty title="The trace is not stored">
        No trace source has a span of it. It was not sent, or retention deleted it.
      </Empty>
    );
  }
  if (error) {
    return (
      <Failure title="The trace cannot be read" error={error} onRetry={() => void refetch()} />
    );
  }
  return isPending ? <Skeleton lines={6} /> : <Summary trace={data} link={link} />;
}

function Summary({ trace, link }: { trace: Trace; link: TraceLink }) {
  const { spans, spanCount, durationNanos } = trace;
  const services = [...new Set(spans.map(({ serviceName }) => serviceName))];
  const failed = spans.filter(({ statusCode }) => /error/i.test(statusCode));
  const facts: [string, string][] = [
    ['Spans', plural(spanCount, 'span')],
    ['Duration', formatDuration(durationNanos)],
    ['Services', services.join(', ')],
    ['Root', spans[0]?.name ?? ''],
    ['Failed spans', failed.map(({ name }) => name).join(', ') || 'none'],
  ];
  return (
    <section className={panel.group}>
      <h3 className={panel.groupTitle}>
        <Link
          to="/traces/$traceId"
          params={{ traceId: link.traceId }}
          search={{ at: link.at, span: link.span }}
          aria-keyshortcuts="o"
        >
          Open the trace
        </Link>
      </h3>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name} className={panel.value}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
