import {
  fieldsWithin,
  maskConnectionString,
  objectStorageContract,
  type ObjectStorageSourceInput,
  type ObjectStorageSourceUpdate,
} from '../../../contract/pipe/object-storage.ts';
import { originOf } from './origin-of.ts';
import { replaceIdentity } from './replace-identity.ts';
import { sentFields } from './sent-fields.ts';
import type { SourceAddress, SourceKind } from './source-kind.ts';
import { batchConstant } from './virtual-fields.ts';

export const objectStorageKind: SourceKind<typeof objectStorageContract> = {
  contract: objectStorageContract,
  sealedNames: {},
  defaults: (source) => source,
  addresses: ({ url, queueUrl, connectionString }) =>
    [
      { path: ['url'], url },
      { path: ['queueUrl'], url: queueUrl },
      { path: ['connectionString'], url: blobAddress(connectionString) },
    ].filter((address): address is SourceAddress & { url: string } => address.url !== undefined),
  certificates: () => [],
  // A connection string holds its address and its key together.
  servers: ({ url, queueUrl }) =>
    [url, queueUrl].filter((address) => address !== undefined).map(originOf),
  fieldConflict({ format }, fields) {
    const overlap = fieldsWithin(format, fields);
    return (
      overlap &&
      `${overlap.part} is a part of ${overlap.whole}. Map ${overlap.whole}, or only parts of it`
    );
  },
  merge: (stored, change) => ({
    source: replaceIdentity(change, keepMasked(stored, change)),
    mistakes: [],
  }),
  // One load more than the setting: the engine fetches one batch while it sorts and writes another.
  // One more is prepared while the others run.
  limits: (_, { object_storage_concurrency: concurrency }) => ({
    loads: concurrency + 1,
    concurrency: concurrency + 2,
  }),
  readsWithCluster: ({ object_storage_use_cluster_function: isWanted }) => isWanted,
  assumed: ({ accessKey, iamRole, connectionString }) => ({
    compression: 'auto',
    delimiter: ',',
    ...(accessKey && { authentication: 'IAM_USER' }),
    ...(iamRole !== undefined && { authentication: 'IAM_ROLE' }),
    ...(connectionString !== undefined && {
      authentication: 'CONNECTION_STRING',
      type: 'azureblobstorage',
    }),
  }),
  createsAtSource: () => [],
  states: { opened: 'Running', resting: 'Stopped' },
  lag: 'records',
  canResync: false,
  canReplay: false,
  targets: () => [],
  virtualFields: {
    _path: batchConstant('_path'),
    _file: batchConstant('_file'),
    _size: batchConstant('_size'),
    _time: batchConstant('_time'),
  },
};

/** A client that sends back the masked connection string it was shown changes nothing. */
function keepMasked(
  stored: ObjectStorageSourceInput,
  change: ObjectStorageSourceUpdate,
): ObjectStorageSourceInput {
  const merged = { ...stored, ...sentFields(change) };
  const { connectionString } = stored;
  return connectionString !== undefined &&
    merged.connectionString === maskConnectionString(connectionString)
    ? { ...merged, connectionString }
    : merged;
}

/**
 * The address that a connection string names. One that names only an account has none: the service
 * is then Azure's own.
 */
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
