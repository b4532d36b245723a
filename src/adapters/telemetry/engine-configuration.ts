import { isIP } from 'node:net';

/** Object services whose names all lead to their own machines, so that asking the guard for each connection would guard nothing. */
const cloudServices = [
  's3.amazonaws.com',
  'storage.googleapis.com',
  ...[
    'us-east-1',
    'us-east-2',
    'us-west-1',
    'us-west-2',
    'ca-central-1',
    'sa-east-1',
    'eu-central-1',
    'eu-central-2',
    'eu-north-1',
    'eu-south-1',
    'eu-south-2',
    'eu-west-1',
    'eu-west-2',
    'eu-west-3',
    'ap-east-1',
    'ap-northeast-1',
    'ap-northeast-2',
    'ap-northeast-3',
    'ap-south-1',
    'ap-south-2',
    'ap-southeast-1',
    'ap-southeast-2',
    'ap-southeast-3',
    'ap-southeast-4',
    'af-south-1',
    'il-central-1',
    'me-central-1',
    'me-south-1',
  ].map((region) => `s3.${region}.amazonaws.com`),
];

/**
 * Configuration for the embedded engine to begin with: S3 is fetched through the proxy, but for hosts that the operator named and for services that
 * need no guard. Those the engine reads by itself, so that their bytes do not pass through this process twice. A range of addresses cannot be named
 * there: what lies in one is fetched through the proxy, which lets it pass. `regions`: what to sign for a `host` or `host:port` that is none of AWS.
 */
export function engineConfiguration(
  proxyUrl: string,
  trusted: readonly string[],
  regions: Readonly<Record<string, string>> = {},
): string {
  const hosts = trusted
    .map((entry) =>
      entry
        .trim()
        .toLowerCase()
        .replace(/^\[(.*)\]$/, '$1')
        .replace(/\/(?:32|128)$/, ''),
    )
    .filter(isHost);
  const signed = Object.entries(regions).flatMap(([host, region]) =>
    ['http', 'https'].map(
      (scheme) => `<endpoint>${scheme}://${host}/</endpoint><region>${region}</region>`,
    ),
  );
  const endpoints = signed
    .map((text, index) => `<service${index}>${text}</service${index}>`)
    .join('');
  return `<clickhouse><s3>${endpoints}</s3><proxy><http><uri>${proxyUrl}</uri></http><https><uri>${proxyUrl}</uri></https><no_proxy>${[...hosts, ...cloudServices].join(',')}</no_proxy></proxy></clickhouse>`;
}

const isHost = (entry: string): boolean =>
  isIP(entry) !== 0 || /^[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/.test(entry);
