import type { ObjectStorageSourceInput } from '../../../../contract/pipe/object-storage.ts';
import { bucketOfHost } from '../../../../contract/pipe/object-url.ts';
import { SourceFailed } from '../../../../ports/connector.ts';

/** A bucket of a service that speaks the protocol of S3. */
export interface BucketAddress {
  kind: 's3';
  /** Scheme, host and port of the service, without the bucket. */
  endpoint: string;
  bucket: string;
  /** The bucket is part of the host name. False: it is the first part of the path. */
  virtualHost: boolean;
  region: string;
  /** Key with globs. */
  pattern: string;
}

/** A container of Azure Blob Storage. */
export interface ContainerAddress {
  kind: 'azure';
  /** Scheme, host and port. */
  endpoint: string;
  connectionString: string;
  container: string;
  pattern: string;
}

export type ObjectAddress = BucketAddress | ContainerAddress;

type Where = Pick<ObjectStorageSourceInput, 'url' | 'connectionString' | 'containerName' | 'path'>;

/** @throws SourceFailed, naming the field that gives no address */
export function objectAddress({
  url,
  connectionString,
  containerName,
  path,
}: Where): ObjectAddress {
  if (url !== undefined) {
    return bucketAddress(url);
  }
  if (connectionString === undefined || containerName === undefined || path === undefined) {
    throw new SourceFailed(
      'the source has neither a url nor containerName, connectionString and path',
    );
  }
  return {
    kind: 'azure',
    endpoint: blobEndpoint(connectionString),
    connectionString,
    container: containerName,
    pattern: path.replace(/^\//, ''),
  };
}

const serviceHosts = [
  /^s3(?:[.-](?:fips|dualstack))*[.-](?<region>[a-z0-9-]+)\.(?:amazonaws\.com(?:\.cn)?|io\.cloud\.ovh\..+|.*)$/,
  /^(?<region>[a-z0-9-]+)\.digitaloceanspaces\.com$/,
];

function bucketAddress(url: string): BucketAddress {
  const [, awsBucket, awsPattern] = /^s3:\/\/([^/]+)\/(.+)$/s.exec(url) ?? [];
  if (awsBucket !== undefined && awsPattern !== undefined) {
    return {
      kind: 's3',
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      bucket: awsBucket,
      virtualHost: !awsBucket.includes('.'),
      region: 'us-east-1',
      pattern: awsPattern,
    };
  }
  const [, scheme, authority, rest] = /^(https?):\/\/([^/?#\\@]+)\/(.*)$/is.exec(url) ?? [];
  if (scheme === undefined || authority === undefined || rest === undefined) {
    throw new SourceFailed('url: has no key after the host');
  }
  const { hostname, host } = parsed(
    `${scheme}://${authority}`,
    'url: has no host that is an address',
  );
  const port = host.slice(hostname.length);
  const inHost = bucketOfHost(hostname);
  // The engine takes a bucket in the host only of S3; the other services take it in the path too.
  if (inHost) {
    return {
      kind: 's3',
      endpoint: `${scheme.toLowerCase()}://${inHost.service}${port}`,
      bucket: inHost.bucket,
      virtualHost: inHost.service.startsWith('s3'),
      region: regionOf(inHost.service, inHost.region),
      pattern: needed(decoded(rest)),
    };
  }
  const slash = rest.indexOf('/');
  if (slash < 1) {
    throw new SourceFailed('url: has no bucket and key after the host');
  }
  const region = serviceHosts
    .map((pattern) => pattern.exec(hostname)?.groups?.['region'])
    .find((name) => name !== undefined);
  return {
    kind: 's3',
    endpoint: `${scheme.toLowerCase()}://${host}`,
    bucket: decoded(rest.slice(0, slash)),
    virtualHost: false,
    region: regionOf(hostname, region),
    pattern: needed(decoded(rest.slice(slash + 1))),
  };
}

function regionOf(service: string, region: string | undefined): string {
  if (service.endsWith('googleapis.com') || service.endsWith('r2.cloudflarestorage.com')) {
    return 'auto';
  }
  return region !== undefined &&
    /^[a-z]{2,}-[a-z-]+(?:-?\d+)?$|^[a-z]{3}\d$|^[a-z]{2,4}$/.test(region) &&
    service.startsWith('s3')
    ? region
    : 'us-east-1';
}

/** Decodes a key. If a `%` begins no code, the key stays unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function needed(pattern: string): string {
  if (pattern === '') {
    throw new SourceFailed('url: has no key after the bucket');
  }
  return pattern;
}

/**
 * Parses an address so that every other parser finds the same host in it.
 * @throws SourceFailed without a quotation of the text
 */
function parsed(text: string, reason: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new SourceFailed(reason);
  }
}

const noAddress = 'connectionString: has no account or endpoint that is an address';

/** The parts of a connection string, by name in lower case. @throws SourceFailed */
function connectionParts(connectionString: string): Map<string, string> {
  const pairs = connectionString
    .split(';')
    .filter((part) => part.trim() !== '')
    .map(
      (part) =>
        [
          part.slice(0, part.indexOf('=')).trim().toLowerCase(),
          part.slice(part.indexOf('=') + 1).trim(),
        ] as const,
    );
  const parts = new Map(pairs);
  // A client that reads the first of two values would connect to a place that was not judged.
  if (parts.size < pairs.length) {
    throw new SourceFailed('connectionString: says something twice');
  }
  return parts;
}

/** @throws SourceFailed */
export function blobEndpoint(connectionString: string): string {
  const { protocol, host } = blobUrl(connectionParts(connectionString));
  return `${protocol}//${host}`;
}

/**
 * The connection string for a client that connects to `endpoint` instead: the same account, key and
 * signature, and no address but this one. @throws SourceFailed
 */
export function connectionStringAt(connectionString: string, endpoint: string): string {
  const parts = connectionParts(connectionString);
  const { pathname, search } = blobUrl(parts);
  const account = isEmulator(parts)
    ? emulatorAccount
    : [
        ['AccountName', parts.get('accountname')],
        ['AccountKey', parts.get('accountkey')],
        ['SharedAccessSignature', parts.get('sharedaccesssignature')],
      ];
  return [...account, ['BlobEndpoint', `${endpoint}${pathname}${search}`]]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join(';');
}

/** The account that every emulator has, with its published key. */
const emulatorAccount = [
  ['AccountName', 'devstoreaccount1'],
  [
    'AccountKey',
    'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  ],
];

const isEmulator = (parts: ReadonlyMap<string, string>): boolean =>
  parts.get('usedevelopmentstorage')?.toLowerCase() === 'true';

/** @throws SourceFailed */
function blobUrl(parts: ReadonlyMap<string, string>): URL {
  if (isEmulator(parts)) {
    return new URL('http://127.0.0.1:10000/devstoreaccount1');
  }
  if (
    ![parts.get('accountname'), parts.get('endpointsuffix')].every(
      (part) => part === undefined || /^[a-z0-9.-]+$/i.test(part),
    )
  ) {
    throw new SourceFailed(noAddress);
  }
  const protocolName = parts.get('defaultendpointsprotocol') ?? 'https';
  const account = parts.get('accountname') ?? '';
  const suffix = parts.get('endpointsuffix') ?? 'core.windows.net';
  const text = parts.get('blobendpoint') ?? `${protocolName}://${account}.blob.${suffix}`;
  // No user name and no backslash: parsers differ about the host after one.
  if (!/^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?].*)?$/i.test(text)) {
    throw new SourceFailed(noAddress);
  }
  return parsed(text, noAddress);
}
