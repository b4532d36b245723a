import type { AlertStore } from './alert-store.ts';
import type { AuditStore } from './audit-store.ts';
import type { IdentityStore } from './identity-store.ts';
import type { LeaseStore } from './lease-store.ts';
import type { NodeStore } from './node-store.ts';
import type { PipeStore } from './pipe-store.ts';
import type { DocumentStore } from './document-store.ts';
import type { StoreParts } from './store.ts';

/**
 * A store that can only be read. Verbs get this one: they write through the `commit` of their call,
 * which adds the audit line. A method that writes must not be listed here.
 */
export interface StoreReader {
  readonly documents: Pick<DocumentStore, 'get' | 'getMany' | 'list' | 'referrers' | 'existing'>;
  readonly identity: Pick<
    IdentityStore,
    | 'organization'
    | 'organizations'
    | 'workspace'
    | 'workspaceOfService'
    | 'workspaces'
    | 'user'
    | 'userByEmail'
    | 'users'
    | 'sessions'
    | 'memberLinkByHash'
    | 'accessKeys'
    | 'accessKeyByHash'
    | 'ingestionKey'
    | 'workspaceOfIngestionKey'
    | 'organizationKey'
    | 'organizationKeys'
    | 'organizationKeyByIdHash'
    | 'identityRevision'
  >;
  readonly pipes: Pick<
    PipeStore,
    'status' | 'statuses' | 'everyStatus' | 'deletedPipe' | 'partitions' | 'totals' | 'reports'
  >;
  readonly alerts: Pick<
    AlertStore,
    | 'status'
    | 'evaluations'
    | 'groups'
    | 'history'
    | 'historyCount'
    | 'recent'
    | 'deliveries'
    | 'waiting'
  >;
  readonly audit: Pick<AuditStore, 'list'>;
  readonly leases: Pick<LeaseStore, 'held'>;
  readonly nodes: Pick<NodeStore, 'list'>;
  /** The time of the store, which is the time of alerts. */
  nowMs(): Promise<number>;
}

/** What a change may read and write inside its transaction. */
export type StoreWriter = Pick<StoreParts, 'documents' | 'identity' | 'pipes'> &
  Pick<StoreReader, 'alerts' | 'nowMs'>;
