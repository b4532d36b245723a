import { describe, expect, it } from 'vitest';
import { createdObjects, queueRegion } from './event-queue.ts';

const record = (key: unknown, over: object = {}): object => ({
  eventName: 'ObjectCreated:Put',
  s3: { bucket: { name: 'b' }, object: { key } },
  ...over,
});
const a = { bucket: 'b', name: 'in/a b+ü.json' };

describe('what a notification tells', () => {
  it.each<[string, unknown, { bucket: string; name: string }[]]>([
    ['straight from the store', { Records: [record('in/a+b%2B%C3%BC.json')] }, [a]],
    [
      'by a store that writes s3: before it',
      { Records: [record('x', { eventName: 's3:ObjectCreated:CompleteMultipartUpload' })] },
      [{ bucket: 'b', name: 'x' }],
    ],
    [
      'by SNS',
      {
        Type: 'Notification',
        Message: JSON.stringify({ Records: [record('in/a+b%2B%C3%BC.json')] }),
      },
      [a],
    ],
    [
      'by EventBridge, where the key is plain',
      {
        'detail-type': 'Object Created',
        detail: { bucket: { name: 'b' }, object: { key: 'in/a b+ü.json' } },
      },
      [a],
    ],
    [
      'two at once',
      { Records: [record('x'), record('y')] },
      [
        { bucket: 'b', name: 'x' },
        { bucket: 'b', name: 'y' },
      ],
    ],
    [
      'a key whose percent sign begins nothing',
      { Records: [record('100%.json')] },
      [{ bucket: 'b', name: '100%.json' }],
    ],
    ['a deletion', { Records: [record('x', { eventName: 'ObjectRemoved:Delete' })] }, []],
    [
      'the test of a new notification',
      { Service: 'Amazon S3', Event: 's3:TestEvent', Bucket: 'b' },
      [],
    ],
    [
      'another event of EventBridge',
      { 'detail-type': 'Object Deleted', detail: { bucket: { name: 'b' }, object: { key: 'x' } } },
      [],
    ],
    [
      'records that are none',
      {
        Records: [
          null,
          7,
          'x',
          [],
          {},
          { eventName: 'ObjectCreated:Put' },
          record(7),
          record(null),
          record('y'),
        ],
      },
      [{ bucket: 'b', name: 'y' }],
    ],
    ['records that are no list', { Records: { length: 1 } }, []],
    ['a detail that is none', { 'detail-type': 'Object Created', detail: null }, []],
    [
      'a name of no bytes, of too many, or with a zero byte',
      {
        Records: [record(''), record('x'.repeat(1025)), record('a%00b'), record('y'.repeat(1024))],
      },
      [{ bucket: 'b', name: 'y'.repeat(1024) }],
    ],
    ['no object', [1, 2], []],
    ['null', null, []],
    ['a text', '"x"', []],
    ['no JSON', '{"Records":', []],
    ['nothing', '', []],
  ])('%s', (_title, body, expected) => {
    expect(createdObjects(typeof body === 'string' ? body : JSON.stringify(body))).toEqual(
      expected,
    );
  });
});

describe('the region of a queue', () => {
  it.each([
    ['sqs.eu-west-1.amazonaws.com', 'eu-west-1'],
    ['sqs-fips.us-west-2.amazonaws.com', 'us-west-2'],
    ['eu-central-1.queue.amazonaws.com', 'eu-central-1'],
    ['vpce-1a-2b.sqs.us-east-2.vpce.amazonaws.com', 'us-east-2'],
    ['sqs.cn-north-1.amazonaws.com.cn', 'cn-north-1'],
    ['sqs.eu-west-1.api.aws', 'eu-west-1'],
    ['queue.example.com', undefined],
    ['127.0.0.1', undefined],
  ])('%s: %s', (host, region) => {
    expect(queueRegion(host)).toBe(region);
  });
});
