import { z } from 'zod';
import { Timestamp } from '../common.ts';

const counters = {
  rows: z.number().meta({ description: 'Number of rows inserted since the pipe was created.' }),
  bytes: z
    .number()
    .meta({ description: 'Number of bytes of record data inserted since the pipe was created.' }),
  errors: z.number().meta({
    description:
      'Number of records refused since the pipe was created, without those that a replay has stored.',
  }),
};
const figures = {
  lag: z
    .number()
    .nullable()
    .meta({
      description:
        'Number of records not stored yet, as of the last measurement of each partition. ' +
        '`null` if the source does not report it.',
    }),
  oldestUnprocessedAt: Timestamp.nullable().meta({
    description:
      'Time at which the source received the oldest record that is not stored yet. ' +
      'If that record was not read yet, the time of the record before it. ' +
      "If records carry no time, the time of the partition's last insert. " +
      '`null` if no record is waiting.',
  }),
};

const PipeMetricsPoint = z
  .object({
    at: Timestamp,
    ...counters,
    lag: figures.lag,
    retainedBytes: z
      .number()
      .nullable()
      .meta({
        description:
          'Bytes of log that the source retains for the pipe. ' +
          '`null` if the source does not measure its lag in bytes.',
      }),
    oldestUnprocessedAt: figures.oldestUnprocessedAt,
  })
  .meta({ id: 'PipeMetricsPoint' });
export type PipeMetricsPoint = z.output<typeof PipeMetricsPoint>;

const Instant = z.iso.datetime({
  offset: true,
  error: 'must be an ISO 8601 date-time with an offset',
});
export const PipeMetricsQuery = z.object({
  from: Instant.optional().meta({
    description: 'Return the series from this time, which is at most 24 hours before `to`.',
  }),
  to: Instant.optional().meta({ description: 'Return the series before this time. Default: now.' }),
});
export type PipeMetricsQuery = z.output<typeof PipeMetricsQuery>;

export const PipeMetrics = z
  .object({
    ...counters,
    batches: z.number().meta({ description: 'Number of inserts.' }),
    lag: figures.lag,
    retainedBytes: z
      .number()
      .nullable()
      .optional()
      .meta({
        description:
          'Bytes of log that the source retains for the pipe, as of the last measurement. ' +
          'Only for sources that measure their lag in bytes.',
      }),
    oldestUnprocessedAt: figures.oldestUnprocessedAt,
    lastError: z
      .object({ message: z.string().meta({ description: 'Text of the error.' }), at: Timestamp })
      .nullable()
      .meta({ description: 'Last error of the pipe; `null` if there was none.' }),
    checkpoint: z
      .array(
        z.object({
          partition: z.string().meta({ description: 'Name of the partition.' }),
          position: z
            .string()
            .nullable()
            .meta({ description: 'Stored position; `null` if nothing is stored yet.' }),
          storedAt: Timestamp,
        }),
      )
      .meta({ description: 'Stored position of each partition.' }),
    series: z
      .array(PipeMetricsPoint)
      .optional()
      .meta({
        description:
          'The figures at each minute in which the pipe ran, oldest first. Only with `from`. ' +
          'A minute is missing if the pipe did not run, or if the figures could not be stored.',
      }),
  })
  .meta({
    id: 'PipeMetrics',
    example: {
      rows: 1_204_512,
      bytes: 184_290_336,
      errors: 2,
      batches: 241,
      lag: 0,
      oldestUnprocessedAt: null,
      lastError: { message: 'amount: not a Decimal(18, 2)', at: '2026-03-14T09:26:53.589Z' },
      checkpoint: [
        { partition: 'orders/0', position: '1204513', storedAt: '2026-03-14T09:30:05.000Z' },
      ],
    },
  });
export type PipeMetrics = z.output<typeof PipeMetrics>;

/** What a list says of each pipe: everything but the partitions, of which there may be thousands. */
export const ListedPipeMetrics = PipeMetrics.omit({ checkpoint: true, series: true }).meta({
  id: 'ListedPipeMetrics',
});
export type ListedPipeMetrics = z.output<typeof ListedPipeMetrics>;

export const PipeError = z
  .object({
    at: Timestamp,
    partition: z.string().meta({ description: 'Partition of the record.' }),
    position: z.string().meta({ description: 'Position of the record in the partition.' }),
    reason: z.string().meta({ description: 'Reason why the record could not be stored.' }),
    raw: z.string().meta({ description: 'Original record. Invalid UTF-8 bytes are replaced.' }),
    replayable: z.boolean().meta({
      description:
        'Whether a replay includes the record. An object is read again by the pipe itself.',
    }),
  })
  .meta({
    id: 'PipeError',
    example: {
      at: '2026-03-14T09:26:53.589Z',
      partition: 'orders/0',
      position: '81920',
      reason: 'amount: not a Decimal(18, 2)',
      raw: '{"id":7,"amount":"much"}',
      replayable: true,
    },
  });
export type PipeError = z.output<typeof PipeError>;
