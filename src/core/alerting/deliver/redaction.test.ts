import { describe, expect, it } from 'vitest';
import { bodyKeeper } from './redaction.ts';

const url = 'https://hooks.example.com/services/T0AB12CD34/tok%2Fen?key=s3cretkey';
const keep = bodyKeeper(url, {
  headers: { authorization: 'Bearer abc.def/"ghi"', 'x-env': 'eu' },
  queryParams: { routing_key: 'R0UTE KEY' },
  secret: 'whsec_AAAA',
});

describe('what is kept of a response', () => {
  it.each([
    ['an ordinary answer stays: eu, services', 'an ordinary answer stays: eu, services'],
    [`you called ${url}`, 'you called ***'],
    ['GET /services/T0AB12CD34/tok%2Fen?key=s3cretkey', 'GET ***'],
    ['{"auth":"Bearer abc.def/\\"ghi\\""}', '{"auth":"***"}'],
    ['token abc.def/"ghi" is wrong', 'token *** is wrong'],
    ['routing_key=R0UTE%20KEY, R0UTE KEY', 'routing_key=***, ***'],
    ['T0AB12CD34 s3cretkey whsec_AAAA', '*** *** ***'],
  ])('%s', (body, kept) => {
    expect(keep(body)).toBe(kept);
  });

  it('is at most 512 characters', () => {
    expect(keep('x'.repeat(4000))).toBe('x'.repeat(512));
  });

  it('has no part of a secret that the end of a long response cuts off', () => {
    const long = bodyKeeper('https://hooks.example.com/', { secret: 'S'.repeat(1000) });
    const body = `${'S'.repeat(3 * 1000)}${'x'.repeat(300)}${'S'.repeat(796)}`;
    expect(Buffer.byteLength(body)).toBe(4096);
    expect(long(body)).not.toContain('S');
  });
});
