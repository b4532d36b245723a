import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Time } from '../../../kit/time.tsx';
import { formatDuration } from '../../../view/number-format.ts';
import { usePref } from '../../../view/use-pref.ts';
import { formatClock, zoneLabel, zoneName } from '../../../view/zone.ts';
import { pathNanos } from '../model/critical-path.ts';
import { serviceName } from '../model/services.ts';
import type { TraceNode } from '../model/tree.ts';
import { Swatch } from '../swatch.tsx';
import type { TraceModel } from '../use-trace-model.ts';
import panel from '../../../kit/panel.module.css';
import styles from './panel.module.css';

interface SpanHeadProps {
  model: TraceModel;
  node: TraceNode;
}

/** Status, service, name and times of a span. */
export function SpanHead({ model, node }: SpanHeadProps) {
  const { span, isError } = node;
  return (
    <div className={panel.head}>
      <p className={panel.facts}>
        {isError && (
          <b className={styles.error}>
            <CircleAlert size={14} aria-hidden />
            {span.statusCode}
          </b>
        )}
        <span className={styles.service}>
          <Swatch service={model.services.get(span.serviceName)} />
          {serviceName(span.serviceName)}
        </span>
        {span.kind !== '' && <span>{span.kind}</span>}
      </p>
      <p className={panel.message}>{span.name}</p>
      {span.statusMessage !== '' && <p className={styles.status}>{span.statusMessage}</p>}
      <Times model={model} node={node} />
    </div>
  );
}

function Times({ model, node }: SpanHeadProps) {
  const { trace, path, active } = model;
  const { span, skewNanos, oddity } = node;
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const startMs = Number((BigInt(trace.startNanos) + BigInt(span.startNanos)) / 1_000_000n);
  const onPath = pathNanos(path, active);
  const facts: [name: string, value: ReactNode][] = [
    ['Duration', formatDuration(span.durationNanos)],
    ['Starts', `+${formatDuration(span.startNanos)}`],
    [
      'At',
      <Time
        key="at"
        ms={startMs}
      >{`${formatClock(startMs, zone, 'ms')} ${zoneLabel(zone, startMs)}`}</Time>,
    ],
    ['Critical path', onPath > 0 ? formatDuration(onPath) : 'not on it'],
  ];
  return (
    <>
      <dl className={styles.times}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {skewNanos > 0 && (
        <p className={styles.odd}>
          It starts {formatDuration(skewNanos)} before its parent. The clocks of their hosts may
          differ.
        </p>
      )}
      {oddity === 'parent-missing' && (
        <p className={styles.odd}>
          Its parent, {span.parentSpanId}, is not in the trace. It may be late, or not sampled.
        </p>
      )}
      {oddity === 'loop' && (
        <p className={styles.odd}>It names itself or a span below it as its parent.</p>
      )}
    </>
  );
}
