import { describe, expect, it } from 'vitest';
import { s3Listing } from './s3-listing.ts';

const content = (key: string, rest = ''): string =>
  `<Contents><Key>${key}</Key><LastModified>2026-11-21T10:00:00.000Z</LastModified>` +
  `<ETag>&quot;e1&quot;</ETag><Size>5000000000</Size>${rest}` +
  '<StorageClass>STANDARD</StorageClass></Contents>';
const page = (inner: string): string =>
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
  `<Name>b</Name>${inner}</ListBucketResult>`;
const owner = '<Owner><ID>x</ID><DisplayName>Size</DisplayName></Owner>';
const names = (xml: string): string[] | undefined =>
  s3Listing(xml)?.objects.map(({ name }) => name);

describe('a page of a listing of S3', () => {
  it('gives name, ETag, size and time of each object', () => {
    expect(
      s3Listing(page(`<IsTruncated>false</IsTruncated>${content('a')}${content('b', owner)}`)),
    ).toEqual({
      objects: ['a', 'b'].map((name) => ({
        name,
        etag: '"e1"',
        bytes: 5_000_000_000,
        modifiedAtMs: Date.UTC(2026, 10, 21, 10),
      })),
    });
  });

  it.each<[string, string, { objects: unknown[]; token?: string }]>([
    [
      'before the objects',
      `<IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b=</NextContinuationToken>${content('a')}`,
      { objects: [expect.anything()], token: 'a&b=' },
    ],
    [
      'after them',
      `${content('a')}<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>`,
      { objects: [expect.anything()], token: 't' },
    ],
    [
      'on a page without objects',
      '<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>',
      { objects: [], token: 't' },
    ],
    [
      'never on the last page',
      '<IsTruncated>false</IsTruncated><NextContinuationToken>t</NextContinuationToken>',
      { objects: [] },
    ],
  ])('tells where the next one begins, %s', (_title, inner, expected) => {
    expect(s3Listing(page(inner))).toEqual(expected);
  });

  it('gives names as they are, with or without the encoding that was asked for', () => {
    expect(
      names(
        page(
          `<EncodingType>url</EncodingType>${content('a+b%2Bc%26%C3%BC%0A')}${content('plain')}`,
        ),
      ),
    ).toEqual(['a b+c&ü\n', 'plain']);
    expect(
      names(
        page(
          `${content('a+b%2B &amp;&lt;&#10;&#x1F600;&apos;')}${content('IsTruncated')}<EncodingType></EncodingType>`,
        ),
      ),
    ).toEqual(["a+b%2B &<\n😀'", 'IsTruncated']);
  });

  it.each([
    ['CDATA', page('<Contents><Key><![CDATA[a]]></Key></Contents>')],
    ['a comment', page(`<!-- <Contents> -->${content('a')}`)],
    ['a prefix on each element', page(content('a')).replaceAll(/<(\/?)(\w)/g, '<$1s3:$2')],
    ['an object without a name', page('<Contents><Size>1</Size></Contents>')],
    [
      'an object without a size',
      page('<Contents><Key>a</Key><LastModified>2026-11-21T10:00:00Z</LastModified></Contents>'),
    ],
    ['an object that is cut off', page(content('a')).slice(0, -50)],
    ['a page that is cut off', page(content('a')).slice(0, -19)],
    ['an error', '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>'],
    ['nothing', ''],
  ])('is left to a reader of XML where it is written in another way: %s', (_title, xml) => {
    expect(s3Listing(xml)).toBeUndefined();
  });
});
