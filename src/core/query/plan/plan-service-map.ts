import { invalid, type Issue } from '../../../contract/errors.ts';
import type { ServiceMapRequest } from '../../../contract/query/service-map.ts';
import { collect, compileOperand, compileRows } from '../fields/compile.ts';
import type { Fields } from '../fields/fields.ts';
import type { Condition, Operand } from '../where/condition.ts';
import type { TimeRange } from './bucket.ts';
import { planTrace, spanTexts, type TracePlan, type TraceSource } from './plan-trace.ts';

/** The texts of a span that a map is made of. */
type SpanText = 'spanId' | 'parentId' | 'service' | 'kind' | 'status';

/** Attributes that name what a client span calls. Of several names, the first one that is set counts. */
export const peerAttributes = {
  service: ['peer.service'],
  database: ['db.system.name', 'db.system'],
  namespace: ['db.namespace', 'db.name'],
  messaging: ['messaging.system'],
  destination: ['messaging.destination.name', 'messaging.destination'],
  address: ['server.address', 'net.peer.name', 'network.peer.address'],
} as const;
export type PeerPart = keyof typeof peerAttributes;

/** Where the parts of a map are in a table of spans; undefined where the table lacks one. */
export interface ServiceMapPlan extends Pick<
  TracePlan,
  'table' | 'time' | 'traceId' | 'duration' | 'durationFactor'
> {
  range: TimeRange;
  condition: Condition;
  texts: Record<SpanText, Operand | undefined>;
  peer: Record<PeerPart, Operand[]>;
}

const settings: Record<SpanText, (typeof spanTexts)[number][0]> = {
  spanId: 'spanIdExpression',
  parentId: 'parentSpanIdExpression',
  service: 'serviceNameExpression',
  kind: 'spanKindExpression',
  status: 'statusCodeExpression',
};

/** @throws Fault bad_request with every mistake */
export function planServiceMap(
  request: ServiceMapRequest,
  source: TraceSource,
  fields: Fields,
): ServiceMapPlan {
  const issues: Issue[] = [];
  const condition = compileRows(source, fields, request, issues);
  if (!condition || issues.length > 0) {
    throw invalid(issues);
  }
  const { table, time, traceId, texts, duration, durationFactor } = planTrace(source, fields);
  const textOf = (part: SpanText): Operand | undefined =>
    texts[spanTexts.findIndex(([setting]) => setting === settings[part])];
  for (const part of ['spanId', 'parentId', 'service'] as const) {
    if (!textOf(part)) {
      issues.push({ path: 'sourceId', message: `must be a source that sets ${settings[part]}` });
    }
  }
  if (issues.length > 0) {
    throw invalid(issues);
  }
  const parts = Object.keys(settings) as SpanText[];
  return {
    table,
    time,
    traceId,
    duration,
    durationFactor,
    range: { fromMs: request.startTime, toMs: request.endTime },
    condition,
    texts: Object.fromEntries(parts.map((part) => [part, textOf(part)])) as ServiceMapPlan['texts'],
    peer: peerOf(source, fields),
  };
}

/** The attributes of a span, if they are keys of a map column. */
function peerOf(source: TraceSource, fields: Fields): ServiceMapPlan['peer'] {
  const map = source.eventAttributesExpression ?? 'SpanAttributes';
  const isMap = fields.find(map)?.type.base === 'map';
  const operand = (name: string): Operand | undefined =>
    isMap ? collect([], 'sourceId', () => compileOperand(`${map}.${name}`, fields)) : undefined;
  return Object.fromEntries(
    Object.entries(peerAttributes).map(([part, names]) => [
      part,
      names.flatMap((name) => operand(name) ?? []),
    ]),
  ) as ServiceMapPlan['peer'];
}
