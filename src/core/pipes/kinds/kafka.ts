import { brokersOf } from '../../../contract/pipe/fields.ts';
import { kafkaContract } from '../../../contract/pipe/kafka.ts';
import { originOf } from './origin-of.ts';
import { sentFields } from './sent-fields.ts';
import type { SourceKind } from './source-kind.ts';
import {
  batchConstant,
  recordHeaders,
  recordKey,
  recordPosition,
  recordTime,
  rawMessage,
} from './virtual-fields.ts';

export const kafkaKind: SourceKind<typeof kafkaContract> = {
  contract: kafkaContract,
  sealedNames: { 'schemaRegistry.credentials': 'registryCredentials' },
  defaults: (source, pipeId) => ({
    ...source,
    consumerGroup: source.consumerGroup ?? `pipes-${pipeId}`,
  }),
  addresses: ({ brokers, schemaRegistry }) => [
    ...(schemaRegistry === undefined
      ? []
      : [{ path: ['schemaRegistry', 'url'], url: schemaRegistry.url }]),
    ...brokersOf(brokers).map((broker) => ({
      path: ['brokers'],
      host: broker.slice(0, broker.lastIndexOf(':')),
    })),
  ],
  certificates: ({ caCertificate, schemaRegistry, credentials }) => [
    { path: ['caCertificate'], certificate: caCertificate },
    { path: ['schemaRegistry', 'caCertificate'], certificate: schemaRegistry?.caCertificate },
    { path: ['credentials', 'certificate'], certificate: credentials?.certificate },
    {
      path: ['credentials', 'privateKey'],
      privateKey: credentials?.privateKey,
      certificate: credentials?.certificate,
    },
  ],
  servers: ({ brokers, schemaRegistry }) => [
    ...brokersOf(brokers),
    ...(schemaRegistry ? [originOf(schemaRegistry.url)] : []),
  ],
  fieldConflict: () => undefined,
  merge: (stored, change) => ({ source: { ...stored, ...sentFields(change) }, mistakes: [] }),
  limits: () => ({}),
  readsWithCluster: () => false,
  assumed: ({ credentials, schemaRegistry, offset }) => ({
    type: 'kafka',
    format: schemaRegistry === undefined ? 'JSONEachRow' : 'AvroConfluent',
    ...(credentials && { authentication: 'PLAIN' }),
    offset: { strategy: offset?.timestamp === undefined ? 'from_beginning' : 'from_timestamp' },
    ...(schemaRegistry && {
      schemaRegistry: { authentication: schemaRegistry.credentials ? 'PLAIN' : 'NONE' },
    }),
  }),
  createsAtSource: () => [],
  states: { opened: 'Running', resting: 'Stopped' },
  lag: 'records',
  canResync: false,
  canReplay: true,
  targets: () => [],
  virtualFields: {
    _topic: batchConstant('_topic'),
    _partition: batchConstant('_partition'),
    _offset: recordPosition,
    _timestamp: recordTime,
    _key: recordKey,
    _headers: recordHeaders,
    _raw_message: rawMessage,
  },
};
