import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Issue } from '../../contract/errors.ts';
import { cloudstreamMistakes } from '../../contract/pipe/cloudstream.ts';
import { brokersOf } from '../../contract/pipe/fields.ts';
import { kafkaMistakes, type KafkaSourceInput } from '../../contract/pipe/kafka.ts';
import type { PipeColumn, PipeFieldMapping } from '../../contract/pipe/destination.ts';
import { fieldsWithin, objectStorageMistakes } from '../../contract/pipe/object-storage.ts';
import type { SourceConfiguration } from '../../contract/pipe/sources.ts';
import { EgressRefused, type Egress } from '../../ports/egress.ts';

type Mistake = [path: string[], message: string];

/** What is wrong with a source as a whole, besides what its schema says: rules between fields, certificates, addresses. */
export async function sourceIssues(
  source: SourceConfiguration,
  egress: Pick<Egress, 'check'>,
  allowHttp: boolean,
): Promise<Issue[]> {
  const mistakes = [
    ...ruleMistakes(source),
    ...certificateMistakes(source),
    ...(allowHttp ? [] : plainHttp(source)),
    ...(await addressMistakes(source, egress)),
  ];
  return mistakes.map(([path, message]) => ({
    path: ['source', source.kind, ...path].join('.'),
    message,
  }));
}

/** What is wrong with the fields that a pipe takes from a source. */
export function fieldIssues(
  { kind, settings }: SourceConfiguration,
  fieldMappings: readonly PipeFieldMapping[],
  columns: readonly PipeColumn[] = [],
): Issue[] {
  if (kind !== 'objectStorage') {
    return [];
  }
  const sourceOf = new Map(
    fieldMappings.map(({ destinationField, sourceField }) => [destinationField, sourceField]),
  );
  const found = fieldsWithin(
    settings.format,
    columns.map(({ name }) => sourceOf.get(name) ?? name),
  );
  return found === undefined
    ? []
    : [
        {
          path: fieldMappings.length > 0 ? 'fieldMappings' : 'destination.columns',
          message: `${found.part} is a part of ${found.whole}: take ${found.whole} whole, or its parts one by one`,
        },
      ];
}

function ruleMistakes(source: SourceConfiguration): Mistake[] {
  switch (source.kind) {
    case 'kafka':
      return kafkaMistakes(source.settings);
    case 'objectStorage':
      return objectStorageMistakes(source.settings);
    case 'cloudstream':
      return cloudstreamMistakes(source.settings);
    case 'postgres':
      return [];
  }
}

function certificateMistakes(source: SourceConfiguration): Mistake[] {
  if (source.kind === 'postgres') {
    return certificate(['caCertificate'], source.settings.caCertificate);
  }
  if (source.kind !== 'kafka') {
    return [];
  }
  const { caCertificate, schemaRegistry, credentials } = source.settings;
  return [
    ...certificate(['caCertificate'], caCertificate),
    ...certificate(['schemaRegistry', 'caCertificate'], schemaRegistry?.caCertificate),
    ...certificate(['credentials', 'certificate'], credentials?.certificate),
    ...privateKey(credentials),
  ];
}

/** The parser's own message is left out: it may quote what it could not read. */
function certificate(path: string[], pem: string | undefined): Mistake[] {
  for (const block of pem?.match(/-----BEGIN [^-]+-----[\s\S]+?-----END [^-]+-----/g) ?? []) {
    try {
      void new X509Certificate(block).fingerprint256;
    } catch {
      return [[path, 'holds a certificate that cannot be read']];
    }
  }
  return [];
}

function privateKey(credentials: KafkaSourceInput['credentials']): Mistake[] {
  if (credentials?.privateKey === undefined) {
    return [];
  }
  try {
    const key = createPrivateKey(credentials.privateKey);
    if (
      credentials.certificate === undefined ||
      new X509Certificate(credentials.certificate).checkPrivateKey(key)
    ) {
      return [];
    }
    return [[['credentials', 'privateKey'], 'does not belong to the certificate']];
  } catch {
    return [
      [['credentials', 'privateKey'], 'cannot be read (a key with a passphrase is not supported)'],
    ];
  }
}

function webAddresses(source: SourceConfiguration): [path: string[], url: string][] {
  const pairs: [string[], string | undefined][] =
    source.kind === 'kafka'
      ? [[['schemaRegistry', 'url'], source.settings.schemaRegistry?.url]]
      : source.kind === 'objectStorage'
        ? [
            [['url'], source.settings.url],
            [['queueUrl'], source.settings.queueUrl],
            [['connectionString'], blobAddress(source.settings.connectionString)],
          ]
        : [];
  return pairs.filter((pair): pair is [string[], string] => pair[1] !== undefined);
}

/** Where a connection string leads, when it says so itself; an account without an address lies with the service. */
function blobAddress(connectionString: string | undefined): string | undefined {
  if (connectionString === undefined) {
    return undefined;
  }
  if (/(?:^|;)\s*usedevelopmentstorage\s*=\s*true/i.test(connectionString)) {
    return 'http://127.0.0.1:10000';
  }
  const endpoint = /(?:^|;)\s*blobendpoint\s*=\s*(https?:\/\/[^/;?]+)/i.exec(connectionString)?.[1];
  if (endpoint !== undefined) {
    return endpoint;
  }
  return /(?:^|;)\s*defaultendpointsprotocol\s*=\s*http\s*(?:;|$)/i.test(connectionString)
    ? 'http://core.windows.net'
    : undefined;
}

function plainHttp(source: SourceConfiguration): Mistake[] {
  return webAddresses(source)
    .filter(([, url]) => /^http:/i.test(url))
    .map(([path]): Mistake => [
      path,
      'must be https; an operator can allow http with SIGHTLINE_ALLOW_HTTP_SOURCES',
    ]);
}

async function addressMistakes(
  source: SourceConfiguration,
  egress: Pick<Egress, 'check'>,
): Promise<Mistake[]> {
  const hosts: [string[], string][] = [
    ...webAddresses(source)
      .filter(([, url]) => /^https?:/i.test(url))
      .map(([path, url]): [string[], string] => [path, hostOf(url)]),
    ...(source.kind === 'kafka'
      ? brokersOf(source.settings.brokers).map((broker): [string[], string] => [
          ['brokers'],
          broker.slice(0, broker.lastIndexOf(':')),
        ])
      : []),
    ...(source.kind === 'postgres'
      ? [
          [
            ['host'],
            source.settings.host.includes(':') ? `[${source.settings.host}]` : source.settings.host,
          ] as [string[], string],
        ]
      : []),
  ];
  const mistakes = await Promise.all(
    hosts.map(async ([path, host]): Promise<Mistake[]> => {
      try {
        await egress.check(new URL(`http://${host}`));
        return [];
      } catch (error) {
        if (error instanceof EgressRefused) {
          return [[path, error.message]];
        }
        if (error instanceof TypeError) {
          return [[path, 'is not an address']];
        }
        throw error;
      }
    }),
  );
  return mistakes.flat();
}

/** Globs may stand in the path; the host is before it. */
const hostOf = (url: string): string => url.replace(/^https?:\/\//i, '').split(/[/?#]/, 1)[0]!;
