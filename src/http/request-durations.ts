import type { Histogram, Registry } from 'prom-client';

/** Upper bounds in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const name = 'sightline_http_request_duration_seconds';

interface Counted {
  labels: { method: string; route: string; status: number };
  /** Per bucket, not yet added up; the last for what is above all bounds. */
  counts: number[];
  sum: number;
}

/**
 * Duration of every request, by method, route (never the path with its ids) and status. Counted
 * here and handed to the registry when it is scraped: the library's own `observe` hashes the labels
 * each time, which costs more than routing the request.
 */
export class RequestDurations {
  #counted = new Map<string, Counted>();

  constructor(registry: Registry) {
    // What the registry asks of a metric; the library's type of one has every method of its own
    // classes.
    const metric = {
      name,
      get: async () => ({
        name,
        help: 'Duration of API requests',
        type: 'histogram',
        aggregator: 'sum',
        values: [...this.#counted.values()].flatMap(valuesOf),
      }),
      reset: () => {
        this.#counted = new Map();
      },
    };
    // The registry reads only these members of a metric, but its type asks for the whole class.
    registry.registerMetric(metric as unknown as Histogram);
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    const key = `${method} ${status} ${route}`;
    let counted = this.#counted.get(key);
    if (!counted) {
      this.#counted.set(
        key,
        (counted = {
          labels: { method, route, status },
          counts: Array<number>(buckets.length + 1).fill(0),
          sum: 0,
        }),
      );
    }
    const first = buckets.findIndex((upperBound) => seconds <= upperBound);
    const index = first === -1 ? buckets.length : first;
    counted.counts[index] = (counted.counts[index] ?? 0) + 1;
    counted.sum += seconds;
  }
}

function valuesOf({
  labels,
  counts,
  sum,
}: Counted): { metricName: string; labels: object; value: number }[] {
  let total = 0;
  return [
    ...counts.map((count, index) => ({
      metricName: `${name}_bucket`,
      labels: { le: buckets[index] ?? '+Inf', ...labels },
      value: (total += count),
    })),
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ];
}
