import type { AlertingOptions } from '../core/alerting/alerting.ts';
import type { RefusalLimits } from '../core/audit/audit-refusals.ts';
import type { BatchLimits } from '../core/otlp/queue.ts';
import type { SupervisorOptions } from '../core/pipes/run/supervisor.ts';
import type { OtlpGrpcLimits } from '../http/otlp/otlp-grpc.ts';
import type { OtlpHttpLimits } from '../http/otlp/otlp-http.ts';
import type { ApiLimits } from '../http/server.ts';

/** Limits and intervals that are no settings. Tests and benchmarks change them, operators cannot. */
export interface Tuning {
  api?: Partial<ApiLimits>;
  auditRefusals?: Partial<RefusalLimits>;
  ingest?: Partial<BatchLimits>;
  otlpHttp?: Partial<OtlpHttpLimits>;
  otlpGrpc?: Partial<OtlpGrpcLimits>;
  alerts?: Partial<Pick<AlertingOptions, 'queryMemoryBytes' | 'leaseTtlMs' | 'perHostMax'>>;
  pipes?: Partial<Pick<SupervisorOptions, 'tickMs' | 'leaseMs'>>;
  /** Time between two heartbeats of the process. */
  heartbeatMs?: number;
  /** The caller makes alerts and pipes tick: their own timers are not started. */
  ticksByHand?: boolean;
}
