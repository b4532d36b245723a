import { describe, expect, it } from 'vitest';
import { engineSource, type EngineRead } from './engine-source.ts';
import { objectAddress } from './object-address.ts';

const read = (address: EngineRead['address'], more: Partial<EngineRead> = {}): EngineRead => ({
  address,
  endpoint: address.endpoint,
  credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  source: {},
  format: 'JSONEachRow',
  fields: [{ name: 'n', type: 'UInt64' }],
  cluster: undefined,
  ...more,
});
const bucket = objectAddress({ url: 'https://minio.example/shop/in/*.json' });
const hosted = objectAddress({ url: 'https://shop.s3.eu-west-1.amazonaws.com/in/*.json' });
const container = objectAddress({
  connectionString: 'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=YWJj',
  containerName: 'shop',
  path: 'in/*.json',
});

describe('what the engine reads from', () => {
  it.each<[string, EngineRead, string]>([
    ['path style', read(bucket), "s3('https://minio.example/shop/in/{a,b}.json', 'id', 'secret',"],
    [
      'virtual-host style',
      read(hosted),
      "s3('https://shop.s3.eu-west-1.amazonaws.com/in/{a,b}.json', 'id', 'secret',",
    ],
    [
      'a temporary key',
      read(bucket, {
        credentials: { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' },
      }),
      "'id', 'secret', 'token',",
    ],
    ['nobody', read(bucket, { credentials: undefined }), "in/{a,b}.json', NOSIGN,"],
    [
      'a cluster of nodes',
      read(bucket, { cluster: 'no`des' }),
      "s3Cluster(`no\\`des`, 'https://minio.example/shop/",
    ],
    [
      'a container',
      read(container),
      "azureBlobStorage('DefaultEndpointsProtocol=https;AccountName=a;AccountKey=YWJj', 'shop', 'in/{a,b}.json',",
    ],
    [
      'a container, by a cluster of nodes',
      read(container, { cluster: 'nodes' }),
      'azureBlobStorageCluster(`nodes`, ',
    ],
  ])('%s', (_title, how, expected) => {
    expect(
      engineSource(how, ['in/a.json', 'in/b.json']).text.replaceAll(
        '{a.json,b.json}',
        '{a,b}.json',
      ),
    ).toContain(expected);
  });

  it('a name with pattern characters, as a pattern of ASCII and the exact name', () => {
    const { text } = engineSource(read(bucket), ['in/odd {1}, ü#.json']);
    expect(text).toContain("s3('https://minio.example/shop/in/odd??1?,???.json',");
    expect(text).toContain("WHERE concat(_path, '') = 'shop/in/odd {1}, ü#.json'");
  });
});
