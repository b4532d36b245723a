import { describe, expect, it } from 'vitest';
import { presignedQuery } from './presigned-query.ts';

describe('a presigned query', () => {
  it('carries the signature of the published example', () => {
    const query = presignedQuery(
      {
        accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
        secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      },
      {
        host: 'examplebucket.s3.amazonaws.com',
        path: '/test.txt',
        parameters: {},
        region: 'us-east-1',
        service: 's3',
        expiresSeconds: 86_400,
        nowMs: Date.parse('2013-05-24T00:00:00Z'),
        payloadHash: 'UNSIGNED-PAYLOAD',
      },
    );
    expect(query).toBe(
      'X-Amz-Algorithm=AWS4-HMAC-SHA256' +
        '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
        '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
        '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    );
  });
});
