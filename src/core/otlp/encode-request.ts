import { hash } from 'node:crypto';
import type { Encoded } from './encoded.ts';
import { encodeLogs } from './encode/logs.ts';
import { encodeMetrics } from './encode/metrics.ts';
import { encodeTraces } from './encode/traces.ts';
import type { ReceivedRequest, Signal } from './received-request.ts';
import { defaultQuota, type Quota } from './wire/quota.ts';
import type { MessageName } from './wire/messages.ts';
import { protobufFromJson } from './wire/protobuf-from-json.ts';

const signals: Record<
  Signal,
  {
    request: MessageName;
    encode: (request: Uint8Array, receivedMs: number, quota: Quota) => Encoded;
  }
> = {
  logs: { request: 'ExportLogsRequest', encode: encodeLogs },
  traces: { request: 'ExportTraceRequest', encode: encodeTraces },
  metrics: { request: 'ExportMetricsRequest', encode: encodeMetrics },
};

/**
 * The rows of a decompressed request. @throws Fault `bad_request`, or `payload_too_large` if the
 * request exceeds the quota.
 */
export function encodeRequest(
  { signal, encoding, receivedMs }: Pick<ReceivedRequest, 'signal' | 'encoding' | 'receivedMs'>,
  body: Uint8Array,
  quota: Quota = defaultQuota,
): Encoded {
  const { request, encode } = signals[signal];
  const binary = encoding === 'json' ? protobufFromJson(request, body, quota) : body;
  const encoded = encode(binary, receivedMs, quota);
  // Rows with the time of arrival differ each time, so a repeat cannot be recognized by its rows.
  if (!encoded.usesArrival) {
    for (const rows of encoded.tables) {
      rows.digest = hash('sha256', rows.data, 'base64');
    }
  }
  return encoded;
}
