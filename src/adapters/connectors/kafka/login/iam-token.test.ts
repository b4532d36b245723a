import { describe, expect, it } from 'vitest';
import { iamToken, regionOfBroker } from './iam-token.ts';

const nowMs = Date.parse('2026-03-14T09:26:53Z');
const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};

describe('a token for a broker with IAM authentication', () => {
  it('is a signed request to connect, good for fifteen minutes, as URL-safe base64 without padding', () => {
    const token = iamToken(credentials, 'eu-central-1', nowMs);
    expect(token).toMatch(/^[\w-]+$/);
    const url = new URL(Buffer.from(token, 'base64url').toString());
    expect(url.origin + url.pathname).toBe('https://kafka.eu-central-1.amazonaws.com/');
    const { 'X-Amz-Signature': signature, ...rest } = Object.fromEntries(url.searchParams);
    expect(rest).toEqual({
      Action: 'kafka-cluster:Connect',
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': 'AKIDEXAMPLE/20260314/eu-central-1/kafka-cluster/aws4_request',
      'X-Amz-Date': '20260314T092653Z',
      'X-Amz-Expires': '900',
      'X-Amz-SignedHeaders': 'host',
      'User-Agent': 'sightline',
    });
    expect(signature).toMatch(/^[0-9a-f]{64}$/);
  });

  it('carries the session of an assumed role, and never the secret', () => {
    const text = Buffer.from(
      iamToken({ ...credentials, sessionToken: 'session/+=' }, 'us-east-1', nowMs),
      'base64url',
    ).toString();
    expect(new URL(text).searchParams.get('X-Amz-Security-Token')).toBe('session/+=');
    expect(text).not.toContain(credentials.secretAccessKey);
    expect(decodeURIComponent(text)).not.toContain(credentials.secretAccessKey);
  });

  it.each([
    ['b-1.shop.a1b2c3.c4.kafka.us-east-1.amazonaws.com:9098', 'us-east-1'],
    ['boot-x1y2.c1.kafka-serverless.eu-west-2.amazonaws.com:9098', 'eu-west-2'],
    ['b-1-public.shop.a1b2c3.c4.kafka.us-gov-west-1.amazonaws.com:9198', 'us-gov-west-1'],
    ['b-1.shop.a1.c2.kafka.cn-north-1.amazonaws.com.cn:9098', 'cn-north-1'],
    ['broker.example.com:9098', undefined],
    ['kafka.us-east-1.amazonaws.com.example.com:9098', undefined],
  ])('the region of %s is %s', (broker, region) => {
    expect(regionOfBroker(broker)).toBe(region);
  });
});
