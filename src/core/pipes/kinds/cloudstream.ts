import { cloudstreamContract } from '../../../contract/pipe/cloudstream.ts';
import { replaceIdentity } from './replace-identity.ts';
import { sentFields } from './sent-fields.ts';
import type { SourceKind } from './source-kind.ts';
import {
  batchConstant,
  rawMessage,
  recordKey,
  recordPosition,
  recordTime,
} from './virtual-fields.ts';

export const cloudstreamKind: SourceKind<typeof cloudstreamContract> = {
  contract: cloudstreamContract,
  sealedNames: {},
  defaults: (source) => source,
  // The region and the operator's configuration say where the service is.
  addresses: () => [],
  certificates: () => [],
  servers: ({ region }) => [region],
  fieldConflict: () => undefined,
  merge: (stored, change) => ({
    source: replaceIdentity(change, { ...stored, ...sentFields(change) }),
    mistakes: [],
  }),
  limits: () => ({}),
  readsWithCluster: () => false,
  assumed: ({ accessKey, iamRole, timestamp }) => ({
    format: 'JSONEachRow',
    iteratorType: timestamp === undefined ? 'TRIM_HORIZON' : 'AT_TIMESTAMP',
    ...(accessKey && { authentication: 'IAM_USER' }),
    ...(iamRole !== undefined && { authentication: 'IAM_ROLE' }),
  }),
  createsAtSource: () => [],
  states: { opened: 'Running', resting: 'Stopped' },
  lag: 'records',
  canResync: false,
  canReplay: true,
  targets: () => [],
  virtualFields: {
    _stream: batchConstant('_stream'),
    _shard: batchConstant('_shard'),
    _sequence_number: recordPosition,
    _timestamp: recordTime,
    _key: recordKey,
    _raw_message: rawMessage,
  },
};
