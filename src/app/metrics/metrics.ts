import { createMetricsServer } from '../../http/metrics-server.ts';
import { urlOf } from '../address.ts';
import type { Foundation } from '../foundation.ts';
import type { StopList } from '../stop-list.ts';

/** Serves `/metrics` on its own address if the configuration moves it away from the API's port. */
export async function startMetrics(
  { config, log, metrics }: Foundation,
  stops: StopList,
): Promise<string | undefined> {
  if (config.metricsAddress === undefined) {
    return undefined;
  }
  const server = createMetricsServer(metrics, log);
  const { port } = await server.listen(config.metricsAddress);
  stops.add('metrics', 'flush', () => server.stop());
  return `${urlOf(config.metricsAddress.host, port)}/metrics`;
}
