import { Fault } from '../../contract/errors.ts';
import type { SourceInput } from '../../contract/source.ts';
import type { Ids, Vault } from '../../ports/ambient.ts';
import type {
  AccessKey,
  KeyRole,
  Organization,
  OrganizationKey,
  StoredWorkspace,
  User,
} from '../../ports/identity-store.ts';
import type { JsonObject, StoreParts } from '../../ports/store.ts';
import {
  credentialHash,
  hashPassword,
  newAccessKey,
  newIngestionKey,
  newKeyId,
  newKeySecret,
  suffixOf,
} from './credentials.ts';

/** What is made by the operator (first start, command line) rather than over the API. */
export interface ProvisionDeps {
  store: StoreParts;
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

/** A workspace with the three default sources over its telemetry database. The tables are made when the application next starts, or at once by the caller. */
export async function createWorkspace(
  deps: ProvisionDeps,
  wish: { organizationId: string; name: string; database: string; serviceId?: string },
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
      body: source as unknown as JsonObject,
    });
  }
  return workspace;
}

/** @throws Fault conflict when the email is taken. */
export async function createUser(
  { store, ids }: ProvisionDeps,
  wish: { workspaceId: string; email: string; name?: string; password?: string },
): Promise<User> {
  const email = wish.email.trim().toLowerCase();
  if (await store.identity.userByEmail(email)) {
    throw new Fault('conflict', `there is already a user with the email ${email}`);
  }
  return store.identity.insertUser({
    id: ids.object(),
    email,
    name: wish.name ?? null,
    workspaceId: wish.workspaceId,
    passwordHash: wish.password === undefined ? null : await hashPassword(wish.password),
  });
}

/** The text is in the answer and nowhere else: only its hash is kept. */
export async function createAccessKey(
  { store, ids }: ProvisionDeps,
  wish: { workspaceId: string; userId: string; name: string; text?: string },
): Promise<{ key: AccessKey; text: string }> {
  const text = wish.text ?? newAccessKey();
  const key = await store.identity.insertAccessKey(wish.workspaceId, {
    id: ids.object(),
    userId: wish.userId,
    name: wish.name,
    suffix: suffixOf(text),
    hash: credentialHash(text),
  });
  return { key, text };
}

/** Replaces the ingestion key: senders with the old one are refused from then on. */
export async function setIngestionKey(
  { store, vault }: ProvisionDeps,
  workspaceId: string,
  text: string = newIngestionKey(),
): Promise<string> {
  await store.identity.setIngestionKey(workspaceId, {
    hash: credentialHash(text),
    sealed: vault.seal(text, ingestionKeyContext(workspaceId)),
  });
  return text;
}

/** Id and secret are in the answer and nowhere else. */
export async function createOrganizationKey(
  { store, ids }: ProvisionDeps,
  wish: {
    organizationId: string;
    name: string;
    roles: KeyRole[];
    keyId?: string;
    keySecret?: string;
  },
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
