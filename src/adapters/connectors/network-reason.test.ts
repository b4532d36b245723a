import { describe, expect, it } from 'vitest';
import {
  certificateReason,
  errorChain,
  networkReason,
  withNetworkReason,
} from './network-reason.ts';

const coded = (code: string, message = 'secret text'): Error =>
  Object.assign(new Error(message), { code });

describe('the reason of a network problem', () => {
  it.each([
    [coded('ECONNREFUSED'), 'connection refused'],
    [new Error('outer', { cause: coded('ENOTFOUND') }), 'host name not found'],
    [Object.assign(new Error('retries'), { originalError: coded('ETIMEDOUT') }), 'timed out'],
    [
      Object.assign(new Error('several'), { errors: [coded('EHOSTUNREACH')] }),
      'no route to the host',
    ],
    [Object.assign(new Error('slow'), { name: 'TimeoutError' }), 'timed out'],
    [new Error('other'), undefined],
    ['a text', undefined],
    [undefined, undefined],
  ])('is told by the codes of the error and its causes: %s', (error, reason) => {
    expect(networkReason(error)).toBe(reason);
    expect(withNetworkReason('no answer', error)).toBe(
      reason === undefined ? 'no answer' : `no answer (${reason})`,
    );
  });

  it('ends where causes go in a circle', () => {
    const error = new Error('round');
    error.cause = error;
    expect(errorChain(error)).toHaveLength(8);
    expect(networkReason(error)).toBeUndefined();
  });
});

describe('what is wrong with a certificate', () => {
  it.each([
    [coded('SELF_SIGNED_CERT_IN_CHAIN'), 'is not trusted'],
    [new Error('tls', { cause: coded('CERT_HAS_EXPIRED') }), 'has expired'],
    [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'is for another host name'],
    [new Error('unable to verify the first certificate'), 'is not trusted'],
    [coded('ECONNREFUSED'), undefined],
  ])('%s', (error, reason) => {
    expect(certificateReason(error)).toBe(reason);
  });
});
