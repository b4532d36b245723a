import { invalid, type Issue } from '../../../contract/errors.ts';
import type { Pipe, PipeCreateBody } from '../../../contract/pipe/pipe.ts';
import { defaultPipeScaling, mergePipeSettings } from '../../../contract/pipe/settings.ts';
import type { Principal, Workspace } from '../../../ports/principal.ts';
import type { ChangeOutcome, Commit } from '../../verb/change.ts';
import { sealParts, targetsOf, type StoredPipe } from '../definition.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import { sourceIn, type ConfiguredSource } from '../kinds/configured-source.ts';
import { splitSource } from '../kinds/sealed-parts.ts';
import { sentFields } from '../kinds/sent-fields.ts';
import { definitionIssues } from '../tables/column-type-names.ts';
import { prepareTables } from '../tables/prepare-shards.ts';
import { prepareDatabase } from '../tables/prepare-table.ts';
import { shardsOf } from '../tables/shards.ts';
import { databaseIssues, namedDatabase } from './destination-database.ts';
import { grantRoles } from './grant-roles.ts';
import { ownerIssues, reserveTargets } from './owner-issues.ts';
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
  const definition = newDefinition(principal.workspace, source, { [source.kind]: shown }, body);
  const targets = targetsOf(deps.kinds, definition);
  const [mistakes, owners] = await Promise.all([
    definitionMistakes(deps, principal, source, definition),
    ownerIssues(deps, principal.workspace, definition, targets),
  ]);
  const issues = mistakes.length > 0 ? mistakes : owners;
  if (issues.length > 0) {
    throw invalid(issues);
  }
  if (body.source.validateSamples === true) {
    await checkSamples(deps, id, source, definition);
  }
  await makeTable(deps, principal, definition);
  await reserveTargets(deps, principal.workspace, definition, targets);
  await grantRoles(deps, definition, targets);
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
  workspace: Workspace,
  { kind, rules }: ConfiguredSource,
  source: StoredPipe['source'],
  body: PipeCreateBody,
): StoredPipe {
  const { roles, ...destination } = body.destination ?? {};
  const { database, shownDatabase } = namedDatabase(workspace, destination.database);
  const target = destination.table === undefined ? '' : ` to ${destination.table}`;
  return {
    name: body.name ?? `${kind}${target}`.slice(0, 255),
    scaling: { ...defaultPipeScaling, ...sentFields(body.scaling ?? {}) },
    source,
    destination: {
      ...(rules.contract.tablesField === null && { managedTable: true }),
      ...destination,
      database,
    },
    fieldMappings: body.fieldMappings ?? [],
    settings: mergePipeSettings(body.settings ?? {}),
    ...(roles === undefined ? {} : { roles }),
    ownsTables: true,
    ...(shownDatabase === undefined ? {} : { shownDatabase }),
  };
}

async function definitionMistakes(
  deps: PipeVerbDependencies,
  { workspace }: Principal,
  source: ConfiguredSource,
  { destination, fieldMappings }: StoredPipe,
): Promise<Issue[]> {
  return [
    ...(await sourceIssues(source, deps)),
    ...fieldIssues(source, fieldMappings, destination.columns),
    ...databaseIssues(workspace, destination.database),
    ...(await definitionIssues(deps.telemetry, destination)),
  ];
}

async function makeTable(
  { telemetry }: PipeVerbDependencies,
  { workspace }: Principal,
  { destination }: StoredPipe,
): Promise<void> {
  const { database, table, columns } = destination;
  const shards = shardsOf(telemetry).all();
  if (table !== undefined && columns !== undefined) {
    const user = { workspaceId: workspace.id, keepsTables: false };
    await prepareTables(telemetry, { ...destination, table, columns }, user);
  } else {
    await prepareDatabase(shards, database);
  }
}
