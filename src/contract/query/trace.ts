import { z } from 'zod';
import { NoBody, ObjectId } from '../common.ts';
import { operation } from '../operation.ts';
import { EpochMs } from './range.ts';

/** Maximum number of spans that a response holds. */
export const spansMax = 20_000;

const TraceQuery = z.object({
  sourceId: ObjectId.optional().meta({
    description:
      'Trace source to look in. Default: every trace source of the team, in order of age.',
  }),
  at: z
    .string()
    .regex(/^\d{13,16}$/, 'must be milliseconds since 1970-01-01 UTC (at least 13 digits)')
    .transform(Number)
    .pipe(EpochMs)
    .optional()
    .meta({
      description:
        'A time near the trace, in milliseconds since the Unix epoch. If the source has no index of ' +
        'trace times, only spans within 12 hours of it are read. Default: all spans.',
      type: 'integer',
    }),
});

const text = (description: string) => z.string().meta({ description });
const nanos = (description: string) => z.number().meta({ description });

export const Span = z
  .object({
    _id: text('Identity of the row: `POST /search/row` returns its attributes and events.'),
    spanId: text('Id of the span.'),
    parentSpanId: text('Id of the parent span; empty for a root span.'),
    serviceName: text('Name of the service.'),
    name: text('Name of the span.'),
    kind: text('Kind of the span, such as `Server`.'),
    startNanos: nanos('Start, in nanoseconds after the start of the trace.'),
    durationNanos: nanos('Duration in nanoseconds.'),
    statusCode: text('Status, such as `Error`.'),
    statusMessage: text('Message of the status.'),
    events: z.int().meta({ description: 'Number of events.' }),
  })
  .meta({ id: 'Span' });
export type Span = z.output<typeof Span>;

export const Trace = z
  .object({
    traceId: text('Id of the trace.'),
    sourceId: ObjectId,
    startTime: EpochMs.meta({
      description:
        'Start of the earliest span, in milliseconds since the Unix epoch, rounded down.',
    }),
    endTime: EpochMs.meta({
      description: 'End of the latest span, in milliseconds since the Unix epoch, rounded up.',
    }),
    startNanos: text('Start of the earliest span, in nanoseconds since the Unix epoch.'),
    durationNanos: nanos('From the start of the earliest to the end of the latest span.'),
    spanCount: z.int().meta({ description: 'Number of spans of the trace.' }),
    truncated: z.boolean().meta({
      description: 'Whether `spans` has only the earliest 20,000 spans of the trace.',
    }),
    spans: z.array(Span).meta({ description: 'Spans in order of their start.' }),
  })
  .meta({
    id: 'Trace',
    example: {
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      sourceId: '65f0c1d2e3a4b5c6d7e8f902',
      startTime: 1_767_225_612_345,
      endTime: 1_767_225_612_392,
      startNanos: '1767225612345678900',
      durationNanos: 46_100_000,
      spanCount: 1,
      truncated: false,
      spans: [
        {
          _id: '1767225612345678900-8993a009869b81274a7202843b2e9445',
          spanId: '00f067aa0ba902b7',
          parentSpanId: '',
          serviceName: 'checkout',
          name: 'POST /pay',
          kind: 'Server',
          startNanos: 0,
          durationNanos: 46_100_000,
          statusCode: 'Error',
          statusMessage: 'card declined',
          events: 1,
        },
      ],
    },
  });
export type Trace = z.output<typeof Trace>;

export const getTrace = operation({
  name: 'getTrace',
  summary: 'Get a trace',
  tag: 'Search',
  scope: 'telemetry:query',
  object: { kind: 'search' },
  description:
    'Returns the spans of a trace, without their attributes and events. An index from trace id to ' +
    'time makes a time range unnecessary.',
  params: z.object({
    traceId: z.string().min(1).max(256).meta({ description: 'Id of the trace.' }),
  }),
  query: TraceQuery,
  body: NoBody,
  result: Trace,
  faults: ['not_found', 'timeout'],
  measured: true,
});
