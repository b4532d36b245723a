import { createAlerting, type Alerting } from '../core/alerting/alerting.ts';
import { publicUrlOf } from './config/public-url.ts';
import type { Foundation } from './foundation.ts';
import type { StopList } from './stop-list.ts';

export async function startAlerts(
  {
    config,
    log,
    clock,
    random,
    vault,
    store,
    telemetry,
    query,
    sender,
    holder,
    tuning,
  }: Foundation,
  stops: StopList,
): Promise<Alerting> {
  const alerting = createAlerting({
    store,
    telemetry,
    query,
    sender,
    vault,
    clock,
    log,
    holder,
    random,
    tickMs: config.alertTickMs,
    ingestDelayMs: config.alertIngestDelayMs,
    queryTimeoutMs: config.queryTimeoutMs,
    deliveryDays: config.alertDeliveryDays,
    publicUrl: publicUrlOf(config),
    ...tuning.alerts,
  });
  stops.add('alerts', 'traffic', () => alerting.stop());
  if (!tuning.ticksByHand) {
    await alerting.start();
  }
  return alerting;
}
