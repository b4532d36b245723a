/** A log record of the tests. */
export interface LogRecord {
  service: string;
  severity: string;
  body: string;
  atMs: number;
  attributes?: Record<string, string>;
  traceId?: string;
  spanId?: string;
}

/** Text that must stay text wherever it is shown. */
export const hostileText = '<img src=x onerror="document.title=1"><b>bold</b>{{7*7}}';

const severityNumbers: Record<string, number> = { DEBUG: 5, INFO: 9, WARN: 13, ERROR: 17 };

/** Body of `POST /v1/logs` (OTLP in JSON). */
export function logsBody(records: readonly LogRecord[]): object {
  const text = (value: string): object => ({ stringValue: value });
  const pairs = (values: Record<string, string>): object[] =>
    Object.entries(values).map(([key, value]) => ({ key, value: text(value) }));
  const services = [...new Set(records.map(({ service }) => service))];
  return {
    resourceLogs: services.map((service) => ({
      resource: {
        attributes: pairs({ 'service.name': service, 'host.name': `${service}-0` }),
      },
      scopeLogs: [
        {
          logRecords: records
            .filter((record) => record.service === service)
            .map(({ severity, body, atMs, attributes = {}, traceId = '', spanId = '' }) => ({
              timeUnixNano: `${atMs}000000`,
              severityText: severity,
              severityNumber: severityNumbers[severity] ?? 0,
              body: text(body),
              attributes: pairs(attributes),
              traceId,
              spanId,
            })),
        },
      ],
    })),
  };
}

/** A shop's records over the last twenty minutes, the same in every run but for the time. */
export function shopRecords(nowMs: number, count: number): LogRecord[] {
  const services = ['cart', 'checkout', 'payment'];
  return Array.from({ length: count }, (_, index) => {
    const isError = index % 17 === 0;
    const service = services[index % services.length] ?? 'cart';
    return {
      service,
      severity: isError ? 'ERROR' : 'INFO',
      body: isError
        ? `charge ${index} failed: the bank did not answer`
        : `order ${index} is placed`,
      atMs: nowMs - Math.floor((index / count) * 1_200_000) - 1000,
      attributes: { 'order.id': String(index), region: index % 2 === 0 ? 'eu' : 'us' },
    };
  });
}
