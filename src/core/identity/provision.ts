import { Fault } from '../../contract/errors.ts';
import type { UserRole } from '../../contract/people/role.ts';
import type { SourceInput } from '../../contract/source.ts';
import type { Ids, Vault } from '../../ports/ambient.ts';
import type {
  AccessKey,
  IngestionKey,
  KeyRole,
  Organization,
  OrganizationKey,
  StoredWorkspace,
  User,
} from '../../ports/store/identity-store.ts';
import type { StoreWriter } from '../../ports/store/store-access.ts';
import {
  credentialHash,
  newAccessKey,
  newIngestionKey,
  newKeyId,
  newKeySecret,
  suffixOf,
} from './credentials.ts';

/**
 * Creates organizations, workspaces, users and credentials. `store` belongs to a change that writes
 * the audit line: `commit` of a call, or `change` of the operator.
 */
export interface ProvisionDeps {
  store: Pick<StoreWriter, 'documents' | 'identity'>;
  ids: Ids;
  vault: Vault;
}

/** Vault context of a workspace's ingestion key. */
export const ingestionKeyContext = (workspaceId: string): string => `ingestion-key/${workspaceId}`;

export function createOrganization(
  { store, ids }: ProvisionDeps,
  name: string,
  id?: string,
): Promise<Organization> {
  return store.identity.insertOrganization({ id: id ?? ids.uuid(), name });
}

export interface NewWorkspace {
  organizationId: string;
  name: string;
  /** Telemetry database. */
  database: string;
  serviceId?: string;
}

/** Name of the telemetry database of a new service. */
export const ownDatabase = (serviceId: string): string => `sightline_${serviceId.slice(0, 8)}`;

/**
 * A workspace with the three default sources over its telemetry database. The tables are made when
 * the application next starts, or at once by the caller.
 */
export async function createWorkspace(
  deps: ProvisionDeps,
  wish: NewWorkspace,
): Promise<StoredWorkspace> {
  const { store, ids } = deps;
  const workspace = await store.identity.insertWorkspace({
    id: ids.object(),
    name: wish.name,
    serviceId: wish.serviceId ?? ids.uuid(),
    organizationId: wish.organizationId,
    database: wish.database,
  });
  for (const source of defaultSources(wish.database)) {
    await store.documents.insert(workspace.id, {
      kind: 'source',
      id: ids.object(),
      body: source,
    });
  }
  return workspace;
}

export interface NewUser {
  workspaceId: string;
  email: string;
  name?: string;
  /** Absent: the user cannot sign in with a password. */
  passwordHash?: string;
  /** Absent: admin if the organization has no user yet, else member. */
  role?: UserRole;
}

/** @throws Fault conflict if the email address is taken. */
export async function createUser({ store, ids }: ProvisionDeps, wish: NewUser): Promise<User> {
  const email = wish.email.trim().toLowerCase();
  if (await store.identity.userByEmail(email)) {
    throw new Fault('conflict', `a user with the email ${email} already exists`);
  }
  return store.identity.insertUser({
    id: ids.object(),
    email,
    name: wish.name ?? null,
    workspaceId: wish.workspaceId,
    passwordHash: wish.passwordHash ?? null,
    role: wish.role ?? (await firstRole(store.identity, wish.workspaceId)),
  });
}

/** The first user of an organization is its admin. */
async function firstRole(
  identity: StoreWriter['identity'],
  workspaceId: string,
): Promise<UserRole> {
  const workspace = await identity.workspace(workspaceId);
  for (const { id } of await identity.workspaces(workspace?.organizationId)) {
    if ((await identity.users(id)).length > 0) {
      return 'member';
    }
  }
  return 'admin';
}

export interface NewAccessKey {
  /** Made up if absent. */
  id?: string;
  workspaceId: string;
  userId: string;
  name: string;
  /** Made up if absent. */
  text?: string;
}

/** The text is in the result and nowhere else: only its hash is stored. */
export async function createAccessKey(
  { store, ids }: ProvisionDeps,
  wish: NewAccessKey,
): Promise<{ key: AccessKey; text: string }> {
  const text = wish.text ?? newAccessKey();
  const key = await store.identity.insertAccessKey(wish.workspaceId, {
    id: wish.id ?? ids.object(),
    userId: wish.userId,
    name: wish.name,
    suffix: suffixOf(text),
    hash: credentialHash(text),
  });
  return { key, text };
}

/** Replaces the ingestion key. From then on the server refuses senders that use the old one. */
export async function setIngestionKey(
  { store, vault }: ProvisionDeps,
  workspaceId: string,
  text: string = newIngestionKey(),
): Promise<string> {
  await storeIngestionKey(store.identity, vault, workspaceId, text);
  return text;
}

export function storeIngestionKey(
  identity: StoreWriter['identity'],
  vault: Vault,
  workspaceId: string,
  text: string,
): Promise<IngestionKey> {
  return identity.setIngestionKey(workspaceId, {
    hash: credentialHash(text),
    sealed: vault.seal(text, ingestionKeyContext(workspaceId)),
  });
}

export interface NewOrganizationKey {
  organizationId: string;
  name: string;
  roles: KeyRole[];
  /** Made up if absent. */
  keyId?: string;
  /** Made up if absent. */
  keySecret?: string;
}

/** Id and secret are in the answer and nowhere else. */
export async function createOrganizationKey(
  { store, ids }: ProvisionDeps,
  wish: NewOrganizationKey,
): Promise<{ key: OrganizationKey; keyId: string; keySecret: string }> {
  const keyId = wish.keyId ?? newKeyId();
  const keySecret = wish.keySecret ?? newKeySecret();
  const key = await store.identity.insertOrganizationKey({
    id: ids.uuid(),
    organizationId: wish.organizationId,
    name: wish.name,
    roles: wish.roles,
    state: 'enabled',
    expireAtMs: null,
    ipAccessList: [],
    keyIdHash: credentialHash(keyId),
    keySecretHash: credentialHash(keySecret),
    keySuffix: suffixOf(keyId),
  });
  return { key, keyId, keySecret };
}

/** Sources over the tables of the OpenTelemetry ClickHouse exporter. */
function defaultSources(databaseName: string): SourceInput[] {
  const common = {
    serviceNameExpression: 'ServiceName',
    resourceAttributesExpression: 'ResourceAttributes',
  };
  return [
    {
      kind: 'log',
      name: 'Logs',
      from: { databaseName, tableName: 'otel_logs' },
      timestampValueExpression: 'Timestamp',
      ...common,
      eventAttributesExpression: 'LogAttributes',
      bodyExpression: 'Body',
      implicitColumnExpression: 'Body',
      severityTextExpression: 'SeverityText',
      traceIdExpression: 'TraceId',
      spanIdExpression: 'SpanId',
      defaultTableSelectExpression: 'Timestamp, ServiceName, SeverityText, Body',
    },
    {
      kind: 'trace',
      name: 'Traces',
      from: { databaseName, tableName: 'otel_traces' },
      timestampValueExpression: 'Timestamp',
      ...common,
      eventAttributesExpression: 'SpanAttributes',
      durationExpression: 'Duration',
      durationPrecision: 9,
      traceIdExpression: 'TraceId',
      spanIdExpression: 'SpanId',
      parentSpanIdExpression: 'ParentSpanId',
      spanNameExpression: 'SpanName',
      spanKindExpression: 'SpanKind',
      statusCodeExpression: 'StatusCode',
      statusMessageExpression: 'StatusMessage',
      implicitColumnExpression: 'SpanName',
      defaultTableSelectExpression: 'Timestamp, ServiceName, StatusCode, Duration, SpanName',
    },
    {
      kind: 'metric',
      name: 'Metrics',
      from: { databaseName, tableName: 'otel_metrics_gauge' },
      timestampValueExpression: 'TimeUnix',
      ...common,
      eventAttributesExpression: 'Attributes',
      metricTables: {
        gauge: 'otel_metrics_gauge',
        sum: 'otel_metrics_sum',
        histogram: 'otel_metrics_histogram',
        summary: 'otel_metrics_summary',
        'exponential histogram': 'otel_metrics_exponential_histogram',
      },
    },
  ];
}
