import { invalid, type Issue } from '../../../contract/errors.ts';
import type { Pipe, PipeCreateBody } from '../../../contract/pipe/pipe.ts';
import { defaultPipeScaling, mergePipeSettings } from '../../../contract/pipe/settings.ts';
import type { Principal } from '../../../ports/principal.ts';
import type { ChangeOutcome, Commit } from '../../verb/change.ts';
import { sealParts, targetsOf, type StoredPipe } from '../definition.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import { sourceIn, type ConfiguredSource } from '../kinds/configured-source.ts';
import { splitSource } from '../kinds/sealed-parts.ts';
import { sentFields } from '../kinds/sent-fields.ts';
import { definitionIssues, prepareTable } from '../tables/prepare-table.ts';
import { grantRoles } from './grant-roles.ts';
import { pipeOutcome } from './pipe-outcome.ts';
import { checkSamples } from './sample-check.ts';
import { fieldIssues, sourceIssues } from './source-checks.ts';

/** Creates a pipe. All checks, and the table, come before anything is stored. */
export async function createPipeDocument(
  deps: PipeVerbDependencies,
  principal: Principal,
  body: PipeCreateBody,
  commit: Commit,
): Promise<ChangeOutcome<Pipe>> {
  const id = deps.ids.uuid();
  const source = withDefaults(sourceIn(deps.kinds, body.source), id);
  const { shown, sealed } = splitSource(source.rules, source.settings);
  const definition = newDefinition(source, { [source.kind]: shown }, body);
  const issues = await definitionMistakes(deps, principal, source, definition);
  if (issues.length > 0) {
    throw invalid(issues);
  }
  if (body.source.validateSamples === true) {
    await checkSamples(deps, id, source, definition);
  }
  await makeTable(deps, definition);
  await grantRoles(deps, definition, targetsOf(deps.kinds, definition));
  return commit(id, async (parts) => {
    await parts.pipes.insert(principal.workspace.id, id);
    const document = await parts.documents.insert(principal.workspace.id, {
      kind: 'pipe',
      id,
      body: definition,
      sealed: sealParts(deps.vault, id, sealed),
    });
    return pipeOutcome(parts, principal, document);
  });
}

function withDefaults(source: ConfiguredSource, pipeId: string): ConfiguredSource {
  return { ...source, settings: source.rules.defaults(source.settings, pipeId) };
}

function newDefinition(
  { kind, rules }: ConfiguredSource,
  source: StoredPipe['source'],
  body: PipeCreateBody,
): StoredPipe {
  const { roles, ...destination } = body.destination ?? {};
  const target = destination.table === undefined ? '' : ` to ${destination.table}`;
  return {
    name: body.name ?? `${kind}${target}`.slice(0, 255),
    scaling: { ...defaultPipeScaling, ...sentFields(body.scaling ?? {}) },
    source,
    destination: {
      ...(rules.contract.tablesField === null && { managedTable: true }),
      ...destination,
      database: destination.database ?? 'default',
    },
    fieldMappings: body.fieldMappings ?? [],
    settings: mergePipeSettings(body.settings ?? {}),
    ...(roles === undefined ? {} : { roles }),
  };
}

async function definitionMistakes(
  deps: PipeVerbDependencies,
  principal: Principal,
  source: ConfiguredSource,
  { destination, fieldMappings }: StoredPipe,
): Promise<Issue[]> {
  return [
    ...(await sourceIssues(source, deps)),
    ...fieldIssues(source, fieldMappings, destination.columns),
    ...(await databaseIssues(deps, principal, destination.database)),
    ...(await definitionIssues(deps.telemetry, destination)),
  ];
}

/** A pipe writes into the database of its own workspace, or into one that no workspace has. */
async function databaseIssues(
  { store }: PipeVerbDependencies,
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
  { telemetry }: PipeVerbDependencies,
  { destination }: StoredPipe,
): Promise<void> {
  const { table, columns } = destination;
  if (table !== undefined && columns !== undefined) {
    await prepareTable(telemetry, { ...destination, table, columns });
  }
}
