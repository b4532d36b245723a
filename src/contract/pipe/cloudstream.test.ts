import { describe, expect, it } from 'vitest';
import {
  refusedPaths,
  withSource,
  type AcceptedSource,
  type RefusedSource,
} from '../../../test/kit/pipe-bodies.ts';

const stream = { streamName: 'clicks', region: 'us-east-1' };

const accepted: AcceptedSource[] = [
  ['cloudstream, least', stream, {}],
  [
    'cloudstream from a time',
    stream,
    { timestamp: 1_700_000_000, iteratorType: 'AT_TIMESTAMP', useEnhancedFanOut: true },
  ],
];

const refused: RefusedSource[] = [
  ['no region', { streamName: 'a' }, {}, 'region'],
  ['milliseconds', stream, { timestamp: 1_700_000_000_000 }, 'timestamp'],
  ['AT_TIMESTAMP without one', stream, { iteratorType: 'AT_TIMESTAMP' }, 'timestamp'],
  ['timestamp with LATEST', stream, { iteratorType: 'LATEST', timestamp: 1 }, 'timestamp'],
];

describe('a pipe body with source.cloudstream', () => {
  it.each(accepted)('%s is accepted', (_title, settings, change) => {
    expect(refusedPaths(withSource('cloudstream', { ...settings, ...change }))).toEqual([]);
  });

  it.each(refused)('%s is refused, naming the field', (_title, settings, change, path) => {
    expect(refusedPaths(withSource('cloudstream', { ...settings, ...change }))).toContain(
      `source.cloudstream.${path}`,
    );
  });
});
