import type { AlertTables } from './alert-schema.ts';
import type { ObjectTables } from './object-schema.ts';

/**
 * Every table, as Kysely types. A part of the store adds its own interface here (see
 * docs/rules/store.md). Times are integer milliseconds, JSON is text, booleans are 0 and 1: the
 * same on SQLite and PostgreSQL.
 */
export interface Schema
  extends
    DocumentTables,
    IdentityTables,
    WorkTables,
    AuditTables,
    PipeTables,
    AlertTables,
    ObjectTables,
    NodeTables {}

/**
 * Tables of which every row belongs to one workspace: they are reached through `ofWorkspace` only.
 */
export const workspaceTables = [
  'documents',
  'document_references',
  'alert_progress',
  'alert_history',
  'alert_outbox',
  'pipe_statuses',
  'pipe_partitions',
  'pipe_objects',
] as const satisfies readonly (keyof Schema)[];
export type WorkspaceTable = (typeof workspaceTables)[number];

/**
 * Tables of a backup, each after those that it refers to. Left out: `migrations`, which the backup
 * lists elsewhere, `document_totals`, which triggers keep, `sessions` and `member_links`, because
 * people sign in again, and `nodes`, because processes report again.
 */
export const backupTables = [
  'organizations',
  'workspaces',
  'users',
  'access_keys',
  'ingestion_keys',
  'organization_keys',
  'revisions',
  'leases',
  'idempotency_keys',
  'documents',
  'document_references',
  'audit',
  'alert_progress',
  'alert_history',
  'alert_calm_windows',
  'alert_outbox',
  'alert_disabled_webhooks',
  'alert_evaluators',
  'pipe_statuses',
  'pipe_partitions',
  'pipe_objects',
] as const satisfies readonly (keyof Schema)[];
export type BackupTable = (typeof backupTables)[number];

export interface DocumentTables {
  documents: {
    workspace_id: string;
    kind: string;
    id: string;
    version: number;
    created_at_ms: number;
    updated_at_ms: number;
    body: string;
    sealed: string | null;
    unique_key: string | null;
  };
  document_references: {
    workspace_id: string;
    owner_kind: string;
    owner_id: string;
    target_kind: string;
    target_id: string;
    /** '' stands for none: NULL cannot be part of a primary key. */
    part: string;
  };
}

export interface IdentityTables {
  organizations: { id: string; name: string; created_at_ms: number };
  workspaces: {
    id: string;
    organization_id: string;
    service_id: string;
    name: string;
    database_name: string;
    /** JSON list of names. */
    listed_databases: string;
    created_at_ms: number;
  };
  users: {
    id: string;
    workspace_id: string;
    email: string;
    /** The address in lower case: what is unique, and what is searched. */
    email_key: string;
    name: string | null;
    password_hash: string | null;
    role: string;
    created_at_ms: number;
  };
  member_links: { user_id: string; hash: string; expires_at_ms: number };
  sessions: {
    id: string;
    user_id: string;
    hash: string;
    created_at_ms: number;
    used_at_ms: number;
    address: string | null;
    browser: string | null;
  };
  access_keys: {
    id: string;
    workspace_id: string;
    user_id: string;
    name: string;
    suffix: string;
    hash: string;
    created_at_ms: number;
    used_at_ms: number | null;
  };
  ingestion_keys: { workspace_id: string; hash: string; sealed: string; created_at_ms: number };
  organization_keys: {
    id: string;
    organization_id: string;
    name: string;
    key_id_hash: string;
    key_secret_hash: string;
    key_suffix: string;
    roles: string;
    state: string;
    created_at_ms: number;
    expire_at_ms: number | null;
    used_at_ms: number | null;
    ip_access_list: string;
    version: number;
  };
}

/**
 * The audit trail. Nulls in `organization_id`: refusals of which it is not known whose they would
 * be.
 */
export interface AuditTables {
  audit: {
    id: string;
    at_ms: number;
    organization_id: string | null;
    service_id: string | null;
    actor_kind: string;
    actor_id: string | null;
    actor_name: string | null;
    operation: string;
    object_kind: string;
    object_id: string | null;
    address: string | null;
    request_id: string | null;
    outcome: string;
    code: string | null;
    count: number;
  };
}

export interface WorkTables {
  /** `kind` is null if the version that applied the step recorded none. */
  migrations: { name: string; applied_at_ms: number; kind: string | null };
  /** One row a counter; `identity` grows with every change of who may do what. */
  revisions: { name: string; value: number };
  leases: { name: string; holder: string; epoch: number; expires_at_ms: number };
  idempotency_keys: {
    credential: string;
    key: string;
    body_hash: string;
    /** NULL while the first request is still running. */
    status: number | null;
    headers: string | null;
    body: string | null;
    expires_at_ms: number;
  };
}

/** The processes that share the store. */
export interface NodeTables {
  nodes: {
    id: string;
    /** JSON list of names. */
    roles: string;
    version: string;
    started_at_ms: number;
    seen_at_ms: number;
    /** JSON. */
    report: string;
  };
}

/** How each pipe stands, and where in each partition of its source. */
export interface PipeTables {
  pipe_statuses: {
    workspace_id: string;
    pipe_id: string;
    wish: string;
    generation: number;
    run: number;
    state: string;
    message: string | null;
    changed_at_ms: number;
    stored_rows: number;
    stored_bytes: number;
    refused_records: number;
    batches: number;
    last_error: string | null;
    last_error_at_ms: number | null;
    /** JSON of what is left of a deleted pipe's document. */
    parting: string | null;
    /** 1 once the source has answered a reader. */
    source_opened: number;
    /** JSON of the replay that was asked for last. */
    replay: string | null;
  };
  pipe_partitions: {
    workspace_id: string;
    pipe_id: string;
    source_partition: string;
    /** Grows with every claim: writes of older claimants are refused. */
    epoch: number;
    position: string | null;
    /** The end of an insert that was begun. */
    intended: string | null;
    /** The shard of that insert. */
    intended_shard: string | null;
    /** 1: rows of the intended range may be in the table. */
    inserting: number;
    remaining: number | null;
    oldest_at_ms: number | null;
    stored_at_ms: number;
  };
}
