import { describe, expect, it } from 'vitest';
import {
  objects,
  role,
  refusedPaths,
  withSource,
  type AcceptedSource,
  type RefusedSource,
} from '../../../test/kit/pipe-bodies.ts';
import { fieldsWithin, maskConnectionString } from './object-storage.ts';

const blob = {
  containerName: 'data',
  path: 'in/*.csv',
  connectionString: 'AccountName=a;AccountKey=secret;EndpointSuffix=core.example.net',
};

const accepted: AcceptedSource[] = [
  ['objects, least', objects, {}],
  ['objects s3 scheme', objects, { url: 's3://bucket/a/{b,c}/?.parquet' }],
  ['objects blob', blob, { compression: 'zstd', delimiter: ';' }],
  [
    'objects queue',
    objects,
    {
      isContinuous: true,
      queueUrl: 'https://queue.example.com/1/q',
      accessKey: { accessKeyId: 'a', secretKey: 'b' },
    },
  ],
  [
    'objects in a bucket that the host names',
    objects,
    { url: 'https://b.s3.eu-west-1.amazonaws.com/a b.json' },
  ],
  ['objects s3 scheme with blanks', objects, { url: 's3://bucket/my folder/*.json' }],
  ...['\t', ' ', '|', '\u0001'].map((delimiter): AcceptedSource => [
    `objects delimiter ${JSON.stringify(delimiter)}`,
    objects,
    { delimiter },
  ]),
];

const refused: RefusedSource[] = [
  ['no address', {}, {}, 'url'],
  ['url and container', objects, { containerName: 'abc' }, 'containerName'],
  ['container without path', { ...blob, path: undefined }, {}, 'path'],
  ['a file url', objects, { url: 'file:///etc/passwd' }, 'url'],
  ['open brace', objects, { url: 'https://b.example.com/{a' }, 'url'],
  ['two delimiters', objects, { delimiter: ',,' }, 'delimiter'],
  ...['€', '.', 'L', "'", '"', '\n', ''].map((delimiter): RefusedSource => [
    `objects delimiter ${JSON.stringify(delimiter)}`,
    objects,
    { delimiter },
    'delimiter',
  ]),
  ...[
    'https://b.example.com',
    'https://b.example.com/',
    'https://b.example.com/bucket/',
    'https://b.s3.amazonaws.com/',
    's3://bucket',
    's3://bucket/',
    's3://bucket/folder/',
    'https://b.example.com/bucket/folder/',
    'gs://bucket/a.json',
    'https://a.blob.core.windows.net/container/a.json',
  ].map((url): RefusedSource => [
    `a url without a key, or of another kind, ${url}`,
    objects,
    { url },
    'url',
  ]),
  ['a folder for a path', blob, { path: 'in/' }, 'path'],
  [
    'an access key with a connection string',
    blob,
    { accessKey: { accessKeyId: 'a', secretKey: 'b' } },
    'accessKey',
  ],
  ['a role with a connection string', blob, { iamRole: role }, 'iamRole'],
  [
    'a queue with a connection string',
    blob,
    { isContinuous: true, queueUrl: 'https://queue.example.com/1/q' },
    'queueUrl',
  ],
  ['a url for Azure', objects, { type: 'azureblobstorage' }, 'url'],
  ['a container for S3', blob, { type: 's3' }, 'type'],
  ['an unknown compression', objects, { compression: 'rar' }, 'compression'],
  [
    'a queue for a one-time load',
    objects,
    { queueUrl: 'https://queue.example.com/1/q' },
    'queueUrl',
  ],
  [
    'role and key',
    objects,
    { iamRole: role, accessKey: { accessKeyId: 'a', secretKey: 'b' } },
    'iamRole',
  ],
  ['half an access key', objects, { accessKey: { accessKeyId: 'a' } }, 'accessKey.secretKey'],
];

describe('a pipe body with source.objectStorage', () => {
  it.each(accepted)('%s is accepted', (_title, settings, change) => {
    expect(refusedPaths(withSource('objectStorage', { ...settings, ...change }))).toEqual([]);
  });

  it.each(refused)('%s is refused, naming the field', (_title, settings, change, path) => {
    expect(refusedPaths(withSource('objectStorage', { ...settings, ...change }))).toContain(
      `source.objectStorage.${path}`,
    );
  });
});

describe('fields of objects', () => {
  it.each([
    ['JSONEachRow', ['id', 'user.name', 'user'], { part: 'user.name', whole: 'user' }],
    [undefined, ['a.b', 'a.b.c'], { part: 'a.b.c', whole: 'a.b' }],
    ['Parquet', ['a.b', 'a.c', 'ab'], undefined],
    ['CSV', ['a', 'a.b'], undefined],
  ] as const)('of %s %j: one within another is %j', (format, fields, overlap) => {
    expect(fieldsWithin(format, fields)).toEqual(overlap);
  });
});

describe('a connection string', () => {
  it('leaves with its key and signatures masked, whatever the letter case', () => {
    const masked = maskConnectionString(
      'AccountName=shop;accountkey=c2VjcmV0==;SharedAccessSignature=sig%3D1;' +
        'BlobEndpoint=https://x.example.com/?sig=abc;EndpointSuffix=core.example.net',
    );
    expect(masked).toBe(
      'AccountName=shop;accountkey=***;SharedAccessSignature=***;BlobEndpoint=***;EndpointSuffix=core.example.net',
    );
  });
});
