import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signedHeaders, signer } from './signature.ts';

const body = '{"name":"Grüße 🙂","value":12}';

describe('signature', () => {
  it('an independent receiver verifies it with a whsec_ secret', () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    expect(
      new Webhook(secret).verify(body, signedHeaders('evt_1', Date.now(), body, signer(secret))),
    ).toEqual(JSON.parse(body));
    expect(() =>
      new Webhook(secret).verify(
        `${body} `,
        signedHeaders('evt_1', Date.now(), body, signer(secret)),
      ),
    ).toThrow(/signature/i);
  });

  it('an independent receiver verifies it with a secret of any other text', () => {
    const headers = signedHeaders(
      'evt_1',
      Date.now(),
      body,
      signer('correct horse battery staple'),
    );
    expect(
      new Webhook('correct horse battery staple', { format: 'raw' }).verify(body, headers),
    ).toEqual(JSON.parse(body));
  });

  it('without a secret nothing pretends to be a signature', () => {
    expect(signedHeaders('evt_1', 1_700_000_000_999, body, undefined)).toEqual({
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1700000000',
    });
  });
});
