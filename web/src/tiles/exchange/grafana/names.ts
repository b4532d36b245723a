import type { Metric } from '../../../api/queries/metrics.ts';

export type KnownMetric = Pick<Metric, 'name' | 'type' | 'unit'>;
export type AttributeMap = 'Attributes' | 'LogAttributes';

/** What the sources have that stand for those of Grafana. What is absent is not known. */
export interface KnownData {
  /** Every metric of the source of metrics. */
  metrics?: readonly KnownMetric[] | undefined;
  /** Fields of the source of metrics. */
  metricFields?: readonly string[] | undefined;
  /** Fields of the source of logs. */
  logFields?: readonly string[] | undefined;
}

/** Fields and metrics by the names that Prometheus and Loki give to them. */
export class Names {
  private readonly known: KnownData;

  constructor(known: KnownData) {
    this.known = known;
  }

  /** The field that a label stands for. */
  field(label: string, map: AttributeMap): string {
    if (['job', 'service', 'service_name', 'app'].includes(label)) {
      return 'ServiceName';
    }
    const fields = (map === 'Attributes' ? this.known.metricFields : this.known.logFields) ?? [];
    const alike = fields.filter((field) => labelOf(field) === label);
    const own = alike.find((field) => field.startsWith(`${map}.`)) ?? alike[0];
    return own ?? `${map}.${label}`;
  }

  /** The metric of the source; undefined if the source has none of this name. */
  metric(name: string): KnownMetric | undefined {
    return this.known.metrics?.find((metric) => namesOf(metric).includes(name));
  }

  /** Whether a metric that is not found does not exist. */
  get hasMetrics(): boolean {
    return this.known.metrics !== undefined;
  }
}

/** `k8s_pod_name` for `ResourceAttributes.k8s.pod.name` */
function labelOf(field: string): string | undefined {
  const dot = field.indexOf('.');
  return dot < 0 ? undefined : plain(field.slice(dot + 1).replaceAll('`', ''));
}

const plain = (text: string): string => text.replaceAll(/[^\w:]/g, '_');

/** Units of UCUM as suffixes of Prometheus. */
const suffixes: Record<string, string> = {
  s: 'seconds',
  ms: 'milliseconds',
  us: 'microseconds',
  ns: 'nanoseconds',
  By: 'bytes',
  KiBy: 'kibibytes',
  MiBy: 'mebibytes',
  'By/s': 'bytes_per_second',
  '1': 'ratio',
  '%': 'percent',
};

/** Names that exporters to Prometheus give to a metric of OpenTelemetry. */
function namesOf({ name, unit }: KnownMetric): string[] {
  const base = plain(name);
  const suffix = Object.hasOwn(suffixes, unit) ? `_${suffixes[unit]}` : '';
  const named = base.endsWith(suffix) ? base : base + suffix;
  return [name, base, named, `${base}_total`, `${named}_total`];
}
