import { describe, expect, it } from 'vitest';
import {
  certificate,
  kafka,
  privateKey,
  role,
  user,
  refusedPaths,
  withSource,
  type AcceptedSource,
  type RefusedSource,
} from '../../../test/kit/pipe-bodies.ts';

const accepted: AcceptedSource[] = [
  ['kafka, least', kafka, {}],
  ...(['kafka', 'redpanda', 'confluent', 'msk'] as const).map((type): AcceptedSource => [
    `kafka type ${type}`,
    kafka,
    { type },
  ]),
  ['kafka IPv6 broker', kafka, { brokers: '[::1]:9092' }],
  ['kafka plain', kafka, { credentials: user }],
  ['kafka SCRAM-SHA-256', kafka, { authentication: 'SCRAM-SHA-256', credentials: user }],
  ['kafka SCRAM-SHA-512', kafka, { authentication: 'SCRAM-SHA-512', credentials: user }],
  [
    'kafka mutual TLS',
    kafka,
    {
      authentication: 'MUTUAL_TLS',
      credentials: { certificate, privateKey },
      caCertificate: certificate,
    },
  ],
  ['kafka IAM role', kafka, { authentication: 'IAM_ROLE', iamRole: role }],
  [
    'kafka IAM user',
    kafka,
    { authentication: 'IAM_USER', credentials: { accessKeyId: 'k', secretKey: 's' } },
  ],
  ['kafka offset timestamp', kafka, { offset: { timestamp: '2026-02-28T23:59' } }],
  ['kafka offset latest', kafka, { offset: { strategy: 'from_latest' } }],
  [
    'kafka registry',
    kafka,
    {
      format: 'AvroConfluent',
      schemaRegistry: {
        url: 'https://registry.example.com',
        authentication: 'PLAIN',
        credentials: user,
      },
    },
  ],
  [
    'kafka protobuf',
    kafka,
    { format: 'Protobuf', schemaRegistry: { url: 'https://registry.example.com' } },
  ],
];

const refused: RefusedSource[] = [
  ['no port', kafka, { brokers: 'one' }, 'brokers'],
  ['port 0', kafka, { brokers: 'one:0' }, 'brokers'],
  ['port 65536', kafka, { brokers: 'one:65536' }, 'brokers'],
  ['empty broker in the list', kafka, { brokers: 'one:1,,two:2' }, 'brokers'],
  ['a topic twice', kafka, { topics: 'a,a' }, 'topics'],
  ['a topic with a space', kafka, { topics: 'a b' }, 'topics'],
  ['an empty group', kafka, { consumerGroup: '' }, 'consumerGroup'],
  ['an unknown format', kafka, { format: 'XML' }, 'format'],
  [
    'seconds in the offset',
    kafka,
    { offset: { timestamp: '2026-02-28T23:59:00' } },
    'offset.timestamp',
  ],
  ['a day that is not', kafka, { offset: { timestamp: '2026-02-30T00:00' } }, 'offset.timestamp'],
  [
    'strategy without its timestamp',
    kafka,
    { offset: { strategy: 'from_timestamp' } },
    'offset.timestamp',
  ],
  [
    'timestamp with another strategy',
    kafka,
    { offset: { strategy: 'from_latest', timestamp: '2026-01-01T00:00' } },
    'offset.timestamp',
  ],
  ['SCRAM without credentials', kafka, { authentication: 'SCRAM-SHA-256' }, 'credentials.username'],
  [
    'mutual TLS without key',
    kafka,
    { authentication: 'MUTUAL_TLS', credentials: { certificate } },
    'credentials.privateKey',
  ],
  [
    'mutual TLS with a password',
    kafka,
    { authentication: 'MUTUAL_TLS', credentials: { certificate, privateKey, password: 'p' } },
    'credentials.password',
  ],
  ['IAM role without a role', kafka, { authentication: 'IAM_ROLE' }, 'iamRole'],
  ['a role that is none', kafka, { iamRole: 'admin' }, 'iamRole'],
  ['a CA that is no PEM', kafka, { caCertificate: 'x' }, 'caCertificate'],
  ['a private key as CA', kafka, { caCertificate: privateKey }, 'caCertificate'],
  ['Protobuf without registry', kafka, { format: 'Protobuf' }, 'schemaRegistry'],
  [
    'registry PLAIN without credentials',
    kafka,
    { schemaRegistry: { url: 'https://r.example.com', authentication: 'PLAIN' } },
    'schemaRegistry.credentials',
  ],
  [
    'registry with a password in its address',
    kafka,
    { schemaRegistry: { url: 'https://u:p@r.example.com' } },
    'schemaRegistry.url',
  ],
];

describe('a pipe body with source.kafka', () => {
  it.each(accepted)('%s is accepted', (_title, settings, change) => {
    expect(refusedPaths(withSource('kafka', { ...settings, ...change }))).toEqual([]);
  });

  it.each(refused)('%s is refused, naming the field', (_title, settings, change, path) => {
    expect(refusedPaths(withSource('kafka', { ...settings, ...change }))).toContain(
      `source.kafka.${path}`,
    );
  });
});
