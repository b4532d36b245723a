import { expect, it } from 'vitest';
import type { Pipe } from '../../../api/queries/pipes.ts';
import { sourceFacts } from './source-facts.ts';

const facts = (source: Pipe['source']): Record<string, string> =>
  Object.fromEntries(sourceFacts({ source } as Pipe).map(({ name, text }) => [name, text]));

it('says in words what is stored of a source, and nothing that is empty', () => {
  const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
  expect(
    facts({
      kafka: {
        brokers: 'one:9092',
        topics: 'orders',
        consumerGroup: 'shop',
        exactlyOnce: true,
        caCertificate: certificate + certificate,
        reversePrivateEndpointIds: ['a', 'b'],
        schemaRegistry: { url: 'https://registry', authentication: 'PLAIN' },
      },
    }),
  ).toEqual({
    Brokers: 'one:9092',
    Topics: 'orders',
    'Consumer group': 'shop',
    'Exactly once': 'Yes',
    'CA certificate': '2 certificates',
    'Reverse private endpoint ids': 'a, b',
    'Schema registry: url': 'https://registry',
    'Schema registry: authentication': 'PLAIN',
  });
  expect(
    facts({
      postgres: {
        host: 'db',
        port: 5432,
        database: 'shop',
        tableMappings: [],
        settings: { syncIntervalSeconds: 1 },
      },
    }),
  ).toEqual({
    Host: 'db',
    Port: '5432',
    Database: 'shop',
    'Settings: sync interval seconds': '1',
  });
});
