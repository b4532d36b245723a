import { identifier, join, literal, qualified, sql, type Sql } from '../../../sql/sql.ts';
import type { TimeRange } from '../plan/bucket.ts';
import type { PeerPart, ServiceMapPlan } from '../plan/plan-service-map.ts';
import type { Operand } from '../where/condition.ts';
import { emitCondition } from './emit-condition.ts';
import { emitExpression } from './emit-expression.ts';
import { emitRange } from './emit-time.ts';
import { durationNanos } from './emit-trace.ts';

/** The spans that a statement reads: a time range, and one of `divisor` traces. */
export interface MapSample {
  range: TimeRange;
  divisor: number;
}

/** How far outside the range the other end of a call may have begun. */
const marginMs = 300_000;

export const wholeRange = ({ fromMs, toMs }: TimeRange): TimeRange => ({
  fromMs: fromMs - marginMs,
  toMs: toMs + marginMs,
});

/** One row: the number of spans that a map is made of. */
export function emitSpanCount(plan: ServiceMapPlan, range: TimeRange): Sql {
  return sql`SELECT count() ${spans(plan, { range, divisor: 1 })}`;
}

/** Rows `service, calls, errors, [p50, p95, p99]`, most calls first. */
export function emitServiceNodes(plan: ServiceMapPlan, sample: MapSample, limit: number): Sql {
  const columns = [
    sql`${text(plan.texts.service)} AS ${service}`,
    sql`${isEntry(plan)} AS ${entry}`,
    sql`${isError(plan)} AS ${error}`,
    sql`${durationNanos(plan)} AS ${duration}`,
  ];
  const figures = sql`countIf(${entry}) AS ${calls}, countIf(${entry} AND ${error}),
quantilesIf(0.5, 0.95, 0.99)(${duration}, ${entry})`;
  return sql`SELECT ${service}, ${figures}
FROM (SELECT ${join(columns, ', ')} ${spans(plan, sample)})
GROUP BY ${service} ORDER BY ${calls} DESC, ${service} LIMIT ${limit}`;
}

/** Rows `caller, callee, kind, calls, errors, [p50, p95, p99]`, most calls first. */
export function emitServiceEdges(plan: ServiceMapPlan, sample: MapSample, limit: number): Sql {
  const ends = join([caller, callee, kind], ', ');
  const figures = sql`count() AS ${calls}, countIf(${error}), quantiles(0.5, 0.95, 0.99)(${duration})`;
  return sql`SELECT ${ends}, ${figures}
FROM (${answered(plan, sample)} UNION ALL ${unanswered(plan, sample)})
WHERE NOT (${kind} = 'service' AND ${caller} = ${callee})
GROUP BY ${ends} ORDER BY ${calls} DESC, ${ends} LIMIT ${limit}`;
}

// Names that no column of a table has.
const trace = identifier('__trace');
const span = identifier('__span');
const parent = identifier('__parent');
const service = identifier('__service');
const services = identifier('__services');
const entry = identifier('__entry');
const error = identifier('__error');
const duration = identifier('__duration');
const calls = identifier('__calls');
const caller = identifier('__caller');
const callee = identifier('__callee');
const kind = identifier('__kind');
const peer = identifier('__peer');
const peerKind = identifier('__peer_kind');
const reached = identifier('__reached');
const usual = identifier('__usual');

/** Calls with a span on either side: spans whose parent belongs to another service. */
function answered(plan: ServiceMapPlan, sample: MapSample): Sql {
  const { texts } = plan;
  const children = sql`SELECT ${text(plan.traceId)} AS ${trace}, ${text(texts.parentId)} AS ${parent},
${text(texts.service)} AS ${callee}, ${isError(plan)} AS ${error}, ${durationNanos(plan)} AS ${duration}
${spans(plan, sample)} AND ${parent} != ''`;
  const before = { fromMs: sample.range.fromMs - marginMs, toMs: sample.range.toMs };
  const parents = sql`SELECT ${text(plan.traceId)} AS ${trace}, ${text(texts.spanId)} AS ${span},
${text(texts.service)} AS ${caller} ${spans(plan, { ...sample, range: before })}`;
  const match = sql`c.${trace} = p.${trace} AND c.${parent} = p.${span}`;
  return sql`SELECT ${caller}, ${callee}, 'service' AS ${kind}, ${error}, ${duration}
FROM (${children}) AS c ANY LEFT JOIN (${parents}) AS p ON ${match}
WHERE p.${span} != '' AND ${caller} != ${callee}`;
}

/**
 * Calls with a span of the caller only. If all other calls of the same peer reach one service, they
 * were on their way to it, too.
 */
function unanswered(plan: ServiceMapPlan, sample: MapSample): Sql {
  const ofPeer = sql`OVER (PARTITION BY ${peer}, ${peerKind})`;
  const least = sql`minIf(${reached}, ${reached} != '') ${ofPeer}`;
  const greatest = sql`maxIf(${reached}, ${reached} != '') ${ofPeer}`;
  const withUsual = sql`SELECT ${caller}, ${peer}, ${peerKind}, ${error}, ${duration}, ${reached},
if(${least} = ${greatest}, ${greatest}, '') AS ${usual} FROM (${clientCalls(plan, sample)})`;
  return sql`SELECT ${caller}, if(${usual} = '', ${peer}, ${usual}) AS ${callee},
if(${usual} = '', ${peerKind}, 'service') AS ${kind}, ${error}, ${duration}
FROM (${withUsual}) WHERE ${reached} = ''`;
}

/** Client spans that name their peer, and the service that they reached. */
function clientCalls(plan: ServiceMapPlan, sample: MapSample): Sql {
  const { texts } = plan;
  const clients = sql`SELECT ${text(plan.traceId)} AS ${trace}, ${text(texts.spanId)} AS ${span},
${text(texts.service)} AS ${caller}, ${peerName(plan)} AS ${peer}, ${peerKindOf(plan)} AS ${peerKind},
${isError(plan)} AS ${error}, ${durationNanos(plan)} AS ${duration}
${spans(plan, sample)} AND ${isKind(plan, ['client', 'producer'])} AND ${peer} != ''`;
  const after = { fromMs: sample.range.fromMs, toMs: sample.range.toMs + marginMs };
  const children = sql`SELECT ${text(plan.traceId)} AS ${trace}, ${text(texts.parentId)} AS ${parent},
groupUniqArray(${text(texts.service)}) AS ${services}
${spans(plan, { ...sample, range: after })} AND ${parent} != '' GROUP BY ${trace}, ${parent}`;
  const match = sql`c.${trace} = k.${trace} AND c.${span} = k.${parent}`;
  return sql`SELECT ${caller}, ${peer}, ${peerKind}, ${error}, ${duration},
arrayFirst(x -> x != ${caller}, arraySort(${services})) AS ${reached}
FROM (${clients}) AS c ANY LEFT JOIN (${children}) AS k ON ${match}`;
}

function spans({ table, time, condition, traceId }: ServiceMapPlan, sample: MapSample): Sql {
  const where = [
    emitRange(time, sample.range),
    ...(condition.kind === 'all' ? [] : [emitCondition(condition)]),
    ...(sample.divisor > 1 ? [sql`cityHash64(${text(traceId)}) % ${sample.divisor} = 0`] : []),
  ];
  return sql`FROM ${qualified(table.database, table.name)} WHERE ${join(where, ' AND ')}`;
}

/** A part that the table lacks is empty. */
const text = (operand: Operand | undefined): Sql =>
  operand ? sql`ifNull(toString(${emitExpression(operand.expression)}), '')` : sql`''`;

/** Names as current exporters write them, and as older ones did. */
const isKind = ({ texts }: ServiceMapPlan, names: readonly string[]): Sql =>
  isOneOf(
    texts.kind,
    names.flatMap((one) => [one, `span_kind_${one}`]),
  );

const isError = ({ texts }: ServiceMapPlan): Sql =>
  isOneOf(texts.status, ['error', 'status_code_error']);

const isOneOf = (operand: Operand | undefined, values: readonly string[]): Sql =>
  sql`lower(${text(operand)}) IN (${join(values.map(literal), ', ')})`;

const isEntry = (plan: ServiceMapPlan): Sql =>
  sql`(${isKind(plan, ['server', 'consumer'])} OR ${text(plan.texts.parentId)} = '')`;

/** What a client span calls. */
function peerName(plan: ServiceMapPlan): Sql {
  const part = (one: PeerPart): Sql => firstSet(plan.peer[one]);
  const joinedWith = (system: Sql, detail: Sql): Sql =>
    sql`trimRight(concat(${system}, ' ', ${detail}))`;
  const detail = sql`if(${part('namespace')} = '', ${part('address')}, ${part('namespace')})`;
  return sql`multiIf(${part('service')} != '', ${part('service')},
${part('database')} != '', ${joinedWith(part('database'), detail)},
${part('messaging')} != '', ${joinedWith(part('messaging'), part('destination'))}, ${part('address')})`;
}

const peerKindOf = ({ peer: parts }: ServiceMapPlan): Sql =>
  sql`multiIf(${firstSet(parts.database)} != '', 'database',
${firstSet(parts.messaging)} != '', 'messaging', 'external')`;

/** The first text that is not empty. */
function firstSet(operands: readonly Operand[]): Sql {
  const texts = operands.map(text);
  const choices = texts.map((one) => sql`nullIf(${one}, '')`);
  return sql`coalesce(${join([...choices, sql`''`], ', ')})`;
}
