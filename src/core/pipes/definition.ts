import type { Pipe, PipeDefinition } from '../../contract/pipe/pipe.ts';
import type { PipeScaling, PipeSettings } from '../../contract/pipe/settings.ts';
import {
  sourceKindOf,
  type SourceConfiguration,
  type SourceKindName,
} from '../../contract/pipe/sources.ts';
import { maskConnectionString } from '../../contract/pipe/object-storage.ts';
import type { Vault } from '../../ports/ambient.ts';
import type { PipeStatus } from '../../ports/pipe-store.ts';
import type { JsonObject, StoredDocument } from '../../ports/store.ts';
import type { ReaderLimits } from './reader.ts';

/** The secret part of a source: what its answers never show. `grants` stands beside it because it is not shown either. */
export interface PipeSecrets {
  credentials?: JsonObject;
  registryCredentials?: JsonObject;
  accessKey?: JsonObject;
  connectionString?: string;
}

/** What is stored of a pipe: what may be seen, and what is only kept. */
export type StoredPipe = PipeDefinition & { roles?: string[] };

export function storedPipe(document: Pick<StoredDocument, 'body'>): StoredPipe {
  return document.body as unknown as StoredPipe;
}

const sealContext = (pipeId: string): string => `pipe/${pipeId}`;

export function sealSecrets(vault: Vault, pipeId: string, secrets: PipeSecrets): string | null {
  return Object.keys(secrets).length === 0
    ? null
    : vault.seal(JSON.stringify(secrets), sealContext(pipeId));
}

export function openSecrets(
  vault: Vault,
  document: { id: string; sealed: string | null },
): PipeSecrets {
  return document.sealed === null
    ? {}
    : (JSON.parse(vault.open(document.sealed, sealContext(document.id))) as PipeSecrets);
}

type AnySource = Record<string, unknown>;

/** A source as sent, taken apart. */
export function splitSource(source: AnySource): { visible: AnySource; secrets: PipeSecrets } {
  const { credentials, accessKey, connectionString, schemaRegistry, ...visible } = source;
  const { credentials: registryCredentials, ...registry } = (schemaRegistry ?? {}) as AnySource;
  const secrets = { credentials, accessKey, connectionString, registryCredentials };
  return {
    visible: {
      ...visible,
      ...(schemaRegistry === undefined ? {} : { schemaRegistry: registry }),
      ...(connectionString === undefined
        ? {}
        : { connectionString: maskConnectionString(connectionString as string) }),
    },
    secrets: Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== undefined)),
  };
}

/** A stored source, put together again: as it was sent. */
export function joinSource(
  visible: AnySource,
  { credentials, registryCredentials, accessKey, connectionString }: PipeSecrets,
): AnySource {
  return {
    ...visible,
    ...(credentials === undefined ? {} : { credentials }),
    ...(accessKey === undefined ? {} : { accessKey }),
    ...(connectionString === undefined ? {} : { connectionString }),
    ...(registryCredentials === undefined
      ? {}
      : {
          schemaRegistry: {
            ...(visible['schemaRegistry'] as AnySource),
            credentials: registryCredentials,
          },
        }),
  };
}

/** What a connector is made from. */
export function sourceConfiguration(
  vault: Vault,
  document: { id: string; body: JsonObject; sealed: string | null },
): SourceConfiguration {
  const { source } = document.body as unknown as StoredPipe;
  const kind = sourceKindOf(source);
  return {
    kind,
    settings: joinSource(source[kind] as AnySource, openSecrets(vault, document)),
  } as SourceConfiguration;
}

/** The pipe as it is answered. */
export function pipeRecord(
  document: StoredDocument,
  status: PipeStatus | undefined,
  serviceId: string,
): Pipe {
  const { roles: _, ...definition } = storedPipe(document);
  return {
    id: document.id,
    serviceId,
    ...definition,
    state: status?.state ?? 'Provisioning',
    ...(status?.message == null ? {} : { stateMessage: status.message }),
    createdAt: new Date(document.createdAtMs).toISOString(),
    updatedAt: new Date(document.updatedAtMs).toISOString(),
  };
}

const gibibyte = 2 ** 30;
/** A partition is due with so many. */
const rowsMax = 100_000;

/**
 * What scaling means for one reader: a quarter of its memory may be held in records (as much again goes to the client's own buffers and to
 * the rows being written), and every half core is one insert at a time. A partition that waits for its insert longer makes larger ranges, up to four times as large: each merge of the table's parts that
 * is spared is work that is spared. Read ahead is a range for each insert and two more; beyond that it would only be memory.
 */
export function readerLimits(scaling: PipeScaling, waitMs: number): ReaderLimits {
  const budgetBytes = Math.floor((scaling.replicaMemoryGb * gibibyte) / 4);
  const concurrency =
    scaling.concurrency === 0
      ? Math.max(1, Math.round(scaling.replicaCpuMillicores / 500))
      : scaling.concurrency;
  const bytesMax = Math.floor(budgetBytes / 8);
  const rangeRowsMax = rowsMax * Math.min(4, Math.max(1, Math.floor(scaling.replicaMemoryGb * 2)));
  return {
    rowsMax,
    rangeRowsMax,
    bytesMax,
    waitMs,
    budgetBytes,
    aheadBytes: Math.min(budgetBytes, (concurrency + 2) * bytesMax),
    concurrency,
  };
}

/** Loads of an object storage pipe at a time. One more than the setting says: while one batch is sorted and written, another is fetched. */
export const readsAtOnce = (concurrency: number): number => concurrency + 1;

/** What a kind's own settings say about when a range is stored. */
export function sourceLimits(
  { kind, settings }: SourceConfiguration,
  { object_storage_concurrency: concurrency }: PipeSettings,
): Partial<ReaderLimits> {
  // Those that are read, and one more that is made ready to be read next.
  if (kind === 'objectStorage') {
    return { concurrency: readsAtOnce(concurrency) + 1 };
  }
  if (kind !== 'postgres') {
    return {};
  }
  const { syncIntervalSeconds = 60, pullBatchSize = 100_000 } = settings.settings ?? {};
  return {
    waitMs: syncIntervalSeconds * 1000,
    rowsMax: pullBatchSize,
    rangeRowsMax: pullBatchSize,
  };
}

export function kindOf(document: StoredDocument): SourceKindName {
  return sourceKindOf(storedPipe(document).source);
}
