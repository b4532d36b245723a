import { Fault, invalid, notFound, type Issue } from '../../contract/errors.ts';
import { mappingMistakes } from '../../contract/pipe/destination.ts';
import type { PipeCreateBody, PipeUpdateBody } from '../../contract/pipe/pipe.ts';
import { defaultPipeScaling, mergePipeSettings } from '../../contract/pipe/settings.ts';
import {
  sourceKindOf,
  sourceKinds,
  type SourceConfiguration,
  type SourceKindName,
} from '../../contract/pipe/sources.ts';
import type { Principal } from '../../ports/principal.ts';
import { TelemetryError } from '../../ports/telemetry.ts';
import type { JsonObject, StoredDocument } from '../../ports/store.ts';
import { identifier, join, qualified, sql } from '../../sql/sql.ts';
import {
  joinSource,
  openSecrets,
  sealSecrets,
  splitSource,
  storedPipe,
  type PipeSecrets,
  type StoredPipe,
} from './definition.ts';
import type { PipesDependencies } from './dependencies.ts';
import { engineReason } from './find-bad-rows.ts';
import { mergeSource } from './merge-source.ts';
import { definitionIssues, extendTable, prepareTable } from './prepare-table.ts';
import { checkSamples } from './sample-check.ts';
import { fieldIssues, sourceIssues } from './source-checks.ts';

type AnySource = Record<string, unknown>;

/** Everything is checked, and the table made, before anything is stored. */
export async function createPipeDocument(
  deps: PipesDependencies,
  principal: Principal,
  body: PipeCreateBody,
): Promise<StoredDocument> {
  const id = deps.ids.uuid();
  const kind = sourceKindOf(body.source);
  const { visible, secrets } = splitSource(withDefaults(kind, id, body.source[kind] as AnySource));
  const { roles, ...destination } = body.destination ?? {};
  const definition: StoredPipe = {
    name:
      body.name ??
      `${kind}${destination.table === undefined ? '' : ` to ${destination.table}`}`.slice(0, 255),
    scaling: { ...defaultPipeScaling, ...defined(body.scaling ?? {}) },
    source: { [kind]: visible },
    destination: {
      ...(kind === 'postgres' ? {} : { managedTable: true }),
      ...destination,
      database: destination.database ?? 'default',
    },
    fieldMappings: body.fieldMappings ?? [],
    settings: mergePipeSettings(body.settings ?? {}),
    ...(roles === undefined ? {} : { roles }),
  };
  const source = { kind, settings: joinSource(visible, secrets) } as SourceConfiguration;
  const issues = [
    ...(await sourceIssues(source, deps.egress, deps.allowHttp)),
    ...fieldIssues(source, definition.fieldMappings, definition.destination.columns),
    ...(await databaseIssues(deps, principal, definition.destination.database)),
    ...(await definitionIssues(deps.telemetry, definition.destination)),
  ];
  if (issues.length > 0) {
    throw invalid(issues);
  }
  if (body.source.validateSamples === true) {
    await checkSamples(deps, id, source, definition);
  }
  await makeTable(deps, definition);
  await grantRoles(deps, definition, targetsOf(definition));
  return deps.store.transaction(async (parts) => {
    await parts.pipes.insert(principal.workspace.id, id);
    return parts.documents.insert(principal.workspace.id, {
      kind: 'pipe',
      id,
      body: definition as unknown as JsonObject,
      sealed: sealSecrets(deps.vault, id, secrets),
    });
  });
}

/** Fields that get a value where none was sent, so that a reader of the record sees what is in force. */
function withDefaults(kind: SourceKindName, id: string, source: AnySource): AnySource {
  if (kind === 'kafka') {
    return { ...source, consumerGroup: source['consumerGroup'] ?? `pipes-${id}` };
  }
  return kind === 'postgres' ? { ...source, port: source['port'] ?? 5432 } : source;
}

function defined<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

/** A pipe writes into its own workspace's database or into one that is nobody's. */
async function databaseIssues(
  { store }: PipesDependencies,
  principal: Principal,
  database: string,
): Promise<Issue[]> {
  const path = 'destination.database';
  if (['system', 'information_schema'].includes(database.toLowerCase())) {
    return [{ path, message: `${database} is the engine's own database` }];
  }
  if (database === principal.workspace.database) {
    return [];
  }
  const others = await store.identity.workspaces();
  return others.some((other) => other.database === database && other.id !== principal.workspace.id)
    ? [{ path, message: `${database} belongs to another service` }]
    : [];
}

async function makeTable(
  { telemetry }: PipesDependencies,
  { destination }: StoredPipe,
): Promise<void> {
  const { table, columns } = destination;
  if (table !== undefined && columns !== undefined) {
    await prepareTable(telemetry, { ...destination, table, columns });
  }
}

/** The tables that a definition writes to. */
function targetsOf({ source, destination: { table } }: StoredPipe): string[] {
  return table === undefined
    ? (source.postgres?.tableMappings ?? []).map(({ targetTable }) => targetTable)
    : [table];
}

/** Lets the roles of the pipe read these tables. The engine grants by name, so a table may be made later. */
async function grantRoles(
  { telemetry, log }: PipesDependencies,
  { destination: { database }, roles = [] }: StoredPipe,
  tables: readonly string[],
): Promise<void> {
  if (roles.length === 0 || tables.length === 0) {
    return;
  }
  if (telemetry.embedded) {
    return log.warn(
      { database, tables, roles },
      'the embedded engine has no roles: those of a pipe are kept and not granted anything',
    );
  }
  try {
    await telemetry.command(
      sql`GRANT ${join(
        tables.map((table) => sql`SELECT ON ${qualified(database, table)}`),
        ', ',
      )} TO ${join(roles.map(identifier), ', ')}`,
      { purpose: 'admin', timeoutMs: 30_000 },
    );
  } catch (error) {
    if (!(error instanceof TelemetryError)) {
      throw error;
    }
    if (error.kind === 'unavailable' || error.kind === 'timeout') {
      throw new Fault('unavailable', 'the telemetry engine does not answer', { cause: error });
    }
    throw invalid([
      {
        path: 'destination.roles',
        message: `the engine grants them nothing: ${engineReason(error.message)}`,
      },
    ]);
  }
}

/** All of the change, or a Fault and nothing. */
export async function updatePipeDocument(
  deps: PipesDependencies,
  principal: Principal,
  id: string,
  body: PipeUpdateBody,
  ifMatch: readonly number[] | undefined,
): Promise<StoredDocument> {
  const workspaceId = principal.workspace.id;
  const before = await deps.store.documents.get(workspaceId, 'pipe', id);
  if (!before) {
    throw notFound('pipe');
  }
  if (ifMatch && !ifMatch.includes(before.version)) {
    throw new Fault(
      'precondition_failed',
      'the pipe has changed since it was read: get it again and repeat the change',
    );
  }
  const { definition, secrets, source } = await amended(deps, before, body);
  if (body.source?.validateSamples === true) {
    await checkSamples(deps, id, source, definition);
  }
  const { table, columns } = definition.destination;
  if (body.destination?.columns && table !== undefined && columns !== undefined) {
    await extendTable(deps.telemetry, { ...definition.destination, table, columns });
  }
  const known = new Set(targetsOf(storedPipe(before)));
  await grantRoles(
    deps,
    definition,
    targetsOf(definition).filter((name) => !known.has(name)),
  );
  return deps.store.transaction(async (parts) => {
    const after = await parts.documents.update(workspaceId, 'pipe', id, before.version, {
      body: definition as unknown as JsonObject,
      sealed: sealSecrets(deps.vault, id, secrets),
    });
    if (!after) {
      throw new Fault(
        'conflict',
        'the pipe was changed by somebody else at the same time: try again',
      );
    }
    const status = await parts.pipes.status(workspaceId, id);
    // A pipe that failed gets another chance with what was changed.
    await parts.pipes.ask(
      workspaceId,
      id,
      status?.state === 'Failed' && status.wish === 'run' ? { state: 'Provisioning' } : {},
    );
    return after;
  });
}

async function amended(
  deps: PipesDependencies,
  before: StoredDocument,
  body: PipeUpdateBody,
): Promise<{ definition: StoredPipe; secrets: PipeSecrets; source: SourceConfiguration }> {
  const stored = storedPipe(before);
  const kind = sourceKindOf(stored.source);
  const issues: Issue[] = sourceKinds
    .filter((name) => name !== kind && body.source?.[name] !== undefined)
    .map((name) => ({ path: `source.${name}`, message: `this pipe's source is ${kind}` }));
  if (kind === 'postgres' && body.destination?.columns) {
    issues.push({ path: 'destination.columns', message: 'does not go with a postgres source' });
  }
  if (kind === 'postgres' && body.fieldMappings && body.fieldMappings.length > 0) {
    issues.push({ path: 'fieldMappings', message: 'does not go with a postgres source' });
  }
  const whole = joinSource(stored.source[kind] as AnySource, openSecrets(deps.vault, before));
  const merged = mergeSource(kind, whole, (body.source?.[kind] ?? {}) as AnySource, issues);
  const source = { kind, settings: merged } as SourceConfiguration;
  const columns = body.destination?.columns ?? stored.destination.columns;
  const fieldMappings = body.fieldMappings ?? stored.fieldMappings;
  if (columns && fieldMappings.length > 0) {
    for (const [path, message] of mappingMistakes(fieldMappings, columns)) {
      issues.push({ path: path.join('.'), message });
    }
  }
  if (issues.length === 0) {
    issues.push(
      ...(await sourceIssues(source, deps.egress, deps.allowHttp)),
      ...fieldIssues(source, fieldMappings, columns),
    );
  }
  if (issues.length > 0) {
    throw invalid(issues);
  }
  const { visible, secrets } = splitSource(merged);
  const definition: StoredPipe = {
    ...stored,
    ...(body.name === undefined ? {} : { name: body.name }),
    source: { [kind]: visible },
    destination: { ...stored.destination, ...(columns ? { columns } : {}) },
    fieldMappings,
    settings: mergePipeSettings(body.settings ?? {}, stored.settings),
  };
  return { definition, secrets, source };
}
