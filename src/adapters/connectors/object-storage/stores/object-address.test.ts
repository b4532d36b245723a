import { describe, expect, it } from 'vitest';
import { SourceFailed } from '../../../../ports/connector.ts';
import { blobEndpoint, connectionStringAt, objectAddress } from './object-address.ts';

const virtualHost = { kind: 's3', virtualHost: true };
const path = { kind: 's3', virtualHost: false };

const addresses: [url: string, address: object][] = [
  [
    's3://logs/2026/*.json',
    {
      ...virtualHost,
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      bucket: 'logs',
      region: 'us-east-1',
      pattern: '2026/*.json',
    },
  ],
  [
    's3://logs.example.com/a',
    {
      ...path,
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      bucket: 'logs.example.com',
      region: 'us-east-1',
      pattern: 'a',
    },
  ],
  [
    'https://logs.s3.eu-west-1.amazonaws.com/a/b.json',
    {
      ...virtualHost,
      endpoint: 'https://s3.eu-west-1.amazonaws.com',
      bucket: 'logs',
      region: 'eu-west-1',
      pattern: 'a/b.json',
    },
  ],
  [
    'https://logs.s3.amazonaws.com/a',
    {
      ...virtualHost,
      endpoint: 'https://s3.amazonaws.com',
      bucket: 'logs',
      region: 'us-east-1',
      pattern: 'a',
    },
  ],
  [
    'https://logs.s3-us-west-2.amazonaws.com/a',
    {
      ...virtualHost,
      endpoint: 'https://s3-us-west-2.amazonaws.com',
      bucket: 'logs',
      region: 'us-west-2',
      pattern: 'a',
    },
  ],
  [
    'https://my.dotted.logs.s3.us-gov-west-1.amazonaws.com/a',
    {
      ...virtualHost,
      endpoint: 'https://s3.us-gov-west-1.amazonaws.com',
      bucket: 'my.dotted.logs',
      region: 'us-gov-west-1',
      pattern: 'a',
    },
  ],
  [
    'https://logs.s3.dualstack.eu-west-1.amazonaws.com/a',
    {
      ...virtualHost,
      endpoint: 'https://s3.dualstack.eu-west-1.amazonaws.com',
      bucket: 'logs',
      region: 'eu-west-1',
      pattern: 'a',
    },
  ],
  [
    'https://logs.s3-accelerate.amazonaws.com/a',
    {
      ...virtualHost,
      endpoint: 'https://s3-accelerate.amazonaws.com',
      bucket: 'logs',
      region: 'us-east-1',
      pattern: 'a',
    },
  ],
  [
    'https://logs.s3.cn-north-1.amazonaws.com.cn/a',
    {
      ...virtualHost,
      endpoint: 'https://s3.cn-north-1.amazonaws.com.cn',
      bucket: 'logs',
      region: 'cn-north-1',
      pattern: 'a',
    },
  ],
  [
    'https://s3.eu-west-1.amazonaws.com/logs/a',
    {
      ...path,
      endpoint: 'https://s3.eu-west-1.amazonaws.com',
      bucket: 'logs',
      region: 'eu-west-1',
      pattern: 'a',
    },
  ],
  [
    'https://s3.amazonaws.com/logs/a',
    {
      ...path,
      endpoint: 'https://s3.amazonaws.com',
      bucket: 'logs',
      region: 'us-east-1',
      pattern: 'a',
    },
  ],
  [
    'https://storage.googleapis.com/logs/a',
    {
      ...path,
      endpoint: 'https://storage.googleapis.com',
      bucket: 'logs',
      region: 'auto',
      pattern: 'a',
    },
  ],
  [
    'https://logs.storage.googleapis.com/a',
    {
      ...path,
      endpoint: 'https://storage.googleapis.com',
      bucket: 'logs',
      region: 'auto',
      pattern: 'a',
    },
  ],
  [
    'https://logs.ams3.digitaloceanspaces.com/a',
    {
      ...path,
      endpoint: 'https://ams3.digitaloceanspaces.com',
      bucket: 'logs',
      region: 'us-east-1',
      pattern: 'a',
    },
  ],
  [
    'https://0123abcd.r2.cloudflarestorage.com/logs/a',
    {
      ...path,
      endpoint: 'https://0123abcd.r2.cloudflarestorage.com',
      bucket: 'logs',
      region: 'auto',
      pattern: 'a',
    },
  ],
  [
    'https://logs.0123456789abcdef0123456789abcdef.eu.r2.cloudflarestorage.com/a',
    {
      ...path,
      endpoint: 'https://0123456789abcdef0123456789abcdef.eu.r2.cloudflarestorage.com',
      bucket: 'logs',
      region: 'auto',
      pattern: 'a',
    },
  ],
  [
    'https://s3.gra.io.cloud.ovh.net/logs/a',
    {
      ...path,
      endpoint: 'https://s3.gra.io.cloud.ovh.net',
      bucket: 'logs',
      region: 'gra',
      pattern: 'a',
    },
  ],
  [
    'https://logs.s3.fr-par.scw.cloud/a',
    {
      ...virtualHost,
      endpoint: 'https://s3.fr-par.scw.cloud',
      bucket: 'logs',
      region: 'fr-par',
      pattern: 'a',
    },
  ],
  [
    'https://MinIO.Example.com:9000/logs/A/b.JSON',
    {
      ...path,
      endpoint: 'https://minio.example.com:9000',
      bucket: 'logs',
      region: 'us-east-1',
      pattern: 'A/b.JSON',
    },
  ],
  [
    'http://127.0.0.1:9000/logs/**',
    {
      ...path,
      endpoint: 'http://127.0.0.1:9000',
      bucket: 'logs',
      region: 'us-east-1',
      pattern: '**',
    },
  ],
  [
    'https://127。0．0.1:443/logs/a',
    { ...path, endpoint: 'https://127.0.0.1', bucket: 'logs', region: 'us-east-1', pattern: 'a' },
  ],
  [
    'http://[::1]:9000/logs/a',
    { ...path, endpoint: 'http://[::1]:9000', bucket: 'logs', region: 'us-east-1', pattern: 'a' },
  ],
  // keys: percent signs are read, a lone one stays, and nothing ends the key
  [
    'https://s3.amazonaws.com/logs/a%20b/%C3%BC+c.json',
    {
      ...path,
      endpoint: 'https://s3.amazonaws.com',
      bucket: 'logs',
      region: 'us-east-1',
      pattern: 'a b/ü+c.json',
    },
  ],
  [
    'https://s3.amazonaws.com/logs/100%.json',
    {
      ...path,
      endpoint: 'https://s3.amazonaws.com',
      bucket: 'logs',
      region: 'us-east-1',
      pattern: '100%.json',
    },
  ],
  [
    'https://s3.amazonaws.com/logs/a?b#c.{csv,tsv}',
    {
      ...path,
      endpoint: 'https://s3.amazonaws.com',
      bucket: 'logs',
      region: 'us-east-1',
      pattern: 'a?b#c.{csv,tsv}',
    },
  ],
  [
    'https://s3.amazonaws.com/logs//a/../b',
    {
      ...path,
      endpoint: 'https://s3.amazonaws.com',
      bucket: 'logs',
      region: 'us-east-1',
      pattern: '/a/../b',
    },
  ],
];

describe('where objects are', () => {
  it.each(addresses)('%s', (url, address) => {
    expect(objectAddress({ url })).toEqual(address);
  });

  it.each([
    ['https://s3.amazonaws.com', 'url: has no key after the host'],
    ['https://s3.amazonaws.com/', 'url: has no bucket and key after the host'],
    ['https://s3.amazonaws.com/logs', 'url: has no bucket and key after the host'],
    ['https://s3.amazonaws.com/logs/', 'url: has no key after the bucket'],
    ['https://logs.s3.amazonaws.com/', 'url: has no key after the bucket'],
    ['ftp://s3.amazonaws.com/logs/a', 'url: has no key after the host'],
    ['https://a\\@b/logs/a', 'url: has no key after the host'],
    ['https://a%40b/logs/a', 'url: has no host that is an address'],
    ['https://a:80:90/logs/a', 'url: has no host that is an address'],
  ])('%s is refused: %s', (url, reason) => {
    expect(() => objectAddress({ url })).toThrow(new SourceFailed(reason));
  });

  const account = 'DefaultEndpointsProtocol=https;AccountName=logs;AccountKey=c2VjcmV0';
  it.each([
    [account, 'https://logs.blob.core.windows.net'],
    [`${account};EndpointSuffix=core.chinacloudapi.cn`, 'https://logs.blob.core.chinacloudapi.cn'],
    ['AccountName=logs;AccountKey=c2VjcmV0', 'https://logs.blob.core.windows.net'],
    [
      'BlobEndpoint=https://logs.example.com:8443/logs;SharedAccessSignature=sv=2024&sig=a%3D',
      'https://logs.example.com:8443',
    ],
    [
      ' blobendpoint = http://127.0.0.1:10000/devstoreaccount1 ;AccountName=a;AccountKey=b;',
      'http://127.0.0.1:10000',
    ],
    ['UseDevelopmentStorage=true', 'http://127.0.0.1:10000'],
  ])('a connection string %s leads to %s', (connectionString, endpoint) => {
    expect(blobEndpoint(connectionString)).toBe(endpoint);
    expect(objectAddress({ connectionString, containerName: 'c', path: '/in/*.json' })).toEqual({
      kind: 'azure',
      endpoint,
      connectionString,
      container: 'c',
      pattern: 'in/*.json',
    });
  });

  it.each([
    `${account};AccountName=other`,
    'BlobEndpoint=https://a.example;blobendpoint=https://b.example',
    'BlobEndpoint=ftp://a.example',
    'BlobEndpoint=not an address',
    'AccountName=a/b?c#d@e:f',
    'AccountName=a;EndpointSuffix=x@169.254.169.254',
    'BlobEndpoint=https://a.example\\@169.254.169.254',
    'BlobEndpoint=https://u:p@a.example',
  ])(
    'a connection string that does not say one place is refused, without being quoted: %s',
    (connectionString) => {
      let said = '';
      try {
        said = blobEndpoint(connectionString);
      } catch (error) {
        said = (error as Error).message;
      }
      expect(said).toMatch(/^connectionString: /);
      for (const part of ['example', 'c2VjcmV0', 'a/b']) {
        expect(said).not.toContain(part);
      }
    },
  );

  it.each([
    [
      `${account};EndpointSuffix=core.chinacloudapi.cn`,
      'AccountName=logs;AccountKey=c2VjcmV0;BlobEndpoint=http://127.0.0.1:9/',
    ],
    [
      'BlobEndpoint=https://logs.example.com:8443/logs?x=1;SharedAccessSignature=sv=2024&sig=a%3D',
      'SharedAccessSignature=sv=2024&sig=a%3D;BlobEndpoint=http://127.0.0.1:9/logs?x=1',
    ],
    [
      'QueueEndpoint=https://q.example;AccountName=a;AccountKey=b;DefaultEndpointsProtocol=https',
      'AccountName=a;AccountKey=b;BlobEndpoint=http://127.0.0.1:9/',
    ],
  ])('%s keeps its account and signature, and leads to the relay only', (text, expected) => {
    expect(connectionStringAt(text, 'http://127.0.0.1:9')).toBe(expected);
  });
});
