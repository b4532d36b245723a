import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { basicCredentials } from './basic-credentials.ts';

const encoded = (text: string | Uint8Array): string =>
  Buffer.from(text as string).toString('base64');

describe('basicCredentials', () => {
  it.each([
    [`Basic ${encoded('id:secret')}`, 'id', 'secret'],
    [`basic ${encoded('id:secret')}`, 'id', 'secret'],
    [`BASIC   ${encoded('id:secret')}`, 'id', 'secret'],
    [`Basic ${encoded('id:se:cr:et')}`, 'id', 'se:cr:et'],
    [`Basic ${encoded('ïd:sécret ✓')}`, 'ïd', 'sécret ✓'],
  ])('%s', (header, keyId, keySecret) => {
    expect(basicCredentials(header)).toEqual({ keyId, keySecret });
  });

  it.each([
    undefined,
    '',
    'Basic',
    'Basic ',
    `Bearer ${encoded('id:secret')}`,
    encoded('id:secret'),
    `Basic ${encoded('id:secret')} `,
    `Basic\t${encoded('id:secret')}`,
    ` Basic ${encoded('id:secret')}`,
    `Basic ${encoded('id')}`,
    `Basic ${encoded('id:')}`,
    `Basic ${encoded(':secret')}`,
    `Basic ${encoded(':')}`,
    `Basic ${encoded('')}`,
    `Basic ${encoded('id:secret!!').replace(/=+$/, '')}`,
    `Basic ${encoded('id:secret').slice(0, -1)}`,
    `Basic ${encoded('id:secret')}=`,
    `Basic ${encoded('id:secret')},Basic ${encoded('id:secret')}`,
    `Basic ${encoded('id:secret')}, x`,
    `Basic ${encoded('id:sec\0ret')}`,
    `Basic ${encoded('id\0:secret')}`,
    `Basic ${encoded('id:secret\r\n')}`,
    `Basic ${encoded('id:\u0085')}`,
    `Basic ${encoded(new Uint8Array([0x69, 0x3a, 0xff, 0xfe]))}`,
    `Basic ${encoded(new Uint8Array([0x69, 0x3a, 0xed, 0xa0, 0x80]))}`,
    `Basic ${encoded('id:aé~?').replaceAll('+', '-').replaceAll('/', '_')}_`,
    'Basic ====',
    'Basic QQ=',
    'Basic QR==',
    `Basic ${'A'.repeat(8000)}`,
    `Basic "${encoded('id:secret')}"`,
    `Basic id:secret`,
  ])('refuses %j', (header) => {
    expect(basicCredentials(header)).toBeUndefined();
  });

  it('reads back any printable pair, and never throws on anything', () => {
    const part = fc
      .string({ minLength: 1, maxLength: 60, unit: 'grapheme' })
      .filter((text) => text.isWellFormed() && !/[\p{Cc}\uFFFD]/u.test(text));
    fc.assert(
      fc.property(
        part.filter((id) => !id.includes(':')),
        part,
        (keyId, keySecret) => {
          expect(basicCredentials(`Basic ${encoded(`${keyId}:${keySecret}`)}`)).toEqual({
            keyId,
            keySecret,
          });
        },
      ),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: 'binary' }), (text) => {
        basicCredentials(text);
        basicCredentials(`Basic ${text}`);
      }),
      { numRuns: 2000 },
    );
  });
});
