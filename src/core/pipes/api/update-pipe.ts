import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { invalid, type Issue } from '../../../contract/errors.ts';
import { mappingMistakes } from '../../../contract/pipe/destination.ts';
import type { Pipe, pipeOperations, PipeUpdateBody } from '../../../contract/pipe/pipe.ts';
import { mergePipeSettings } from '../../../contract/pipe/settings.ts';
import { kindsIn } from '../../../contract/pipe/sources.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import type { StoreWriter } from '../../../ports/store/store-access.ts';
import type { Workspace } from '../../../ports/principal.ts';
import type { ChangeOutcome } from '../../verb/change.ts';
import type { ChangeCall } from '../../verb/verb.ts';
import { openSource, sealParts, targetsOf, type StoredPipe } from '../definition.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import type { ConfiguredSource } from '../kinds/configured-source.ts';
import { sentFields } from '../kinds/sent-fields.ts';
import { isSettings, splitSource, type SealedParts } from '../kinds/sealed-parts.ts';
import { checkTypes } from '../tables/column-type-names.ts';
import { extendTables } from '../tables/prepare-shards.ts';
import { grantRoles } from './grant-roles.ts';
import { ownerIssues, reserveTargets } from './owner-issues.ts';
import { pipeOutcome } from './pipe-outcome.ts';
import { repeatIssues, splitRepeats, withDefaults } from './repeated-fields.ts';
import { checkSamples } from './sample-check.ts';
import { fieldIssues, sourceIssue, sourceIssues } from './source-checks.ts';
import { checkVersion, pipeDocument, PipeMoved } from './stored-versions.ts';

type PipeUpdate = ChangeCall<ReturnType<typeof pipeOperations>['updatePipe']>;

interface SplitUpdate {
  body: PipeUpdateBody;
  /** Fields that the update may only repeat. */
  repeated: Readonly<Record<string, unknown>>;
}

const attemptsMax = 100;

/**
 * Applies all of the change, or nothing. The checks run before the transaction: if another request
 * changes the pipe meanwhile, they run again on the newer version, so that neither change is lost.
 */
export async function updatePipeDocument(
  deps: PipeVerbDependencies,
  schema: z.ZodType,
  update: PipeUpdate,
): Promise<ChangeOutcome<Pipe>> {
  const { change, repeated } = splitRepeats(schema, update.body);
  const body: PipeUpdateBody = change;
  for (let attempt = 1; ; attempt++) {
    try {
      return await updateOnce(deps, update, { body, repeated });
    } catch (error) {
      if (!(error instanceof PipeMoved) || attempt >= attemptsMax) {
        throw error;
      }
    }
  }
}

async function updateOnce(
  deps: PipeVerbDependencies,
  { principal, params: { pipeId: id }, ifMatch, commit }: PipeUpdate,
  { body, repeated }: SplitUpdate,
): Promise<ChangeOutcome<Pipe>> {
  const before = await pipeDocument(deps.store, principal, id);
  checkVersion(before, ifMatch);
  const amended = await amendedPipe(deps, before, { body, repeated });
  const { definition, sealed, source } = amended;
  await checkTables(deps, principal.workspace, before, body, definition);
  if (body.source?.validateSamples === true) {
    await checkSamples(deps, id, source, definition);
  }
  if (amended.isUnchanged) {
    return commit(id, async (parts) => {
      const now = await pipeDocument(parts, principal, id);
      if (now.version !== before.version) {
        throw new PipeMoved();
      }
      return pipeOutcome(parts, principal, now);
    });
  }
  const { database, table, columns } = definition.destination;
  if (body.destination?.columns && table !== undefined && columns !== undefined) {
    await extendTables(
      deps.telemetry,
      { ...definition.destination, table, columns },
      {
        workspaceId: principal.workspace.id,
        keepsTables: false,
        mayAlterAny: principal.workspace.database === database || definition.ownsTables !== true,
      },
    );
  }
  const added = newTargets(deps, before, definition);
  await reserveTargets(deps, principal.workspace, definition, added);
  await grantRoles(deps, definition, added);
  return commit(id, async (parts) => {
    const after = await parts.documents.update(principal.workspace.id, 'pipe', id, before.version, {
      body: definition,
      sealed: sealParts(deps.vault, id, sealed),
    });
    if (!after) {
      throw new PipeMoved();
    }
    await restart(parts, after);
    return pipeOutcome(parts, principal, after);
  });
}

/**
 * Before samples are read: a new type may make the engine read them in a way that a pipe must not,
 * and a new table may be another service's.
 */
async function checkTables(
  deps: PipeVerbDependencies,
  workspace: Workspace,
  before: StoredDocument<'pipe'>,
  { destination }: PipeUpdateBody,
  definition: StoredPipe,
): Promise<void> {
  const targets = destination?.columns
    ? targetsOf(deps.kinds, definition)
    : newTargets(deps, before, definition);
  const issues = await ownerIssues(deps, workspace, definition, targets);
  if (issues.length > 0) {
    throw invalid(issues);
  }
  if (destination?.columns) {
    await checkTypes(deps.telemetry, destination.columns);
  }
}

function newTargets(
  { kinds }: PipeVerbDependencies,
  before: StoredDocument<'pipe'>,
  definition: StoredPipe,
): string[] {
  const known = new Set(targetsOf(kinds, before.body));
  return targetsOf(kinds, definition).filter((name) => !known.has(name));
}

/** Makes the readers start over with the new definition, those of a failed pipe too. */
async function restart(
  parts: Pick<StoreWriter, 'pipes'>,
  { workspaceId, id }: StoredDocument<'pipe'>,
): Promise<void> {
  const status = await parts.pipes.status(workspaceId, id);
  const hasFailed = status?.state === 'Failed' && status.wish === 'run';
  await parts.pipes.ask(workspaceId, id, hasFailed ? { state: 'Provisioning' } : {});
}

interface AmendedPipe {
  isUnchanged: boolean;
  definition: StoredPipe;
  sealed: SealedParts;
  source: ConfiguredSource;
}

async function amendedPipe(
  deps: PipeVerbDependencies,
  before: StoredDocument<'pipe'>,
  { body, repeated }: SplitUpdate,
): Promise<AmendedPipe> {
  const stored = before.body;
  const current = openSource(deps, before);
  const sent: Readonly<Record<string, unknown>> = body.source ?? {};
  const change = sent[current.kind];
  const merged = current.rules.merge(current.settings, isSettings(change) ? change : {});
  const source = { ...current, settings: merged.source };
  const columns = body.destination?.columns ?? stored.destination.columns;
  const fieldMappings = body.fieldMappings ?? stored.fieldMappings;
  const issues = [
    ...otherKindIssues(deps, current.kind, sent),
    ...repeatIssues(repeated, knownFields(stored, source)),
    ...tablesIssues(current, body),
    ...merged.mistakes.map((mistake) => sourceIssue(current.kind, mistake)),
    ...mappingIssues(fieldMappings, columns),
  ];
  if (issues.length === 0) {
    issues.push(
      ...(await sourceIssues(source, deps)),
      ...fieldIssues(source, fieldMappings, columns),
    );
  }
  if (issues.length > 0) {
    throw invalid(issues);
  }
  const { shown, sealed } = splitSource(source.rules, source.settings);
  const definition: StoredPipe = {
    ...stored,
    ...(body.name === undefined ? {} : { name: body.name }),
    source: { [source.kind]: shown },
    destination: { ...stored.destination, ...(columns ? { columns } : {}) },
    fieldMappings,
    settings: mergePipeSettings(body.settings ?? {}, stored.settings),
  };
  const isUnchanged =
    isDeepStrictEqual(definition, stored) &&
    isDeepStrictEqual(sentFields(source.settings), sentFields(current.settings));
  return { isUnchanged, definition, sealed, source };
}

/** The fields of the changed pipe, as a client may repeat them. */
function knownFields(
  { name, scaling, destination, roles, shownDatabase }: StoredPipe,
  { kind, rules, settings }: ConfiguredSource,
): Readonly<Record<string, unknown>> {
  const source = withDefaults(rules.assumed(settings), settings);
  const database = shownDatabase ?? destination.database;
  return {
    name,
    scaling,
    destination: { ...destination, database, roles },
    source: { [kind]: source },
  };
}

function otherKindIssues(
  { kinds }: PipeVerbDependencies,
  kind: string,
  sent: Readonly<Record<string, unknown>>,
): Issue[] {
  return kindsIn(kinds, sent)
    .filter((name) => name !== kind)
    .map((name) => ({ path: `source.${name}`, message: `this pipe's source is ${kind}` }));
}

/** A source that names its tables itself leaves nothing to say about columns. */
function tablesIssues({ kind, rules }: ConfiguredSource, body: PipeUpdateBody): Issue[] {
  if (rules.contract.tablesField === null) {
    return [];
  }
  const message = `cannot be combined with a ${kind} source`;
  return [
    ...(body.destination?.columns ? [{ path: 'destination.columns', message }] : []),
    ...(body.fieldMappings?.length ? [{ path: 'fieldMappings', message }] : []),
  ];
}

function mappingIssues(
  fieldMappings: StoredPipe['fieldMappings'],
  columns: StoredPipe['destination']['columns'],
): Issue[] {
  if (!columns || fieldMappings.length === 0) {
    return [];
  }
  return mappingMistakes(fieldMappings, columns).map(([path, message]) => ({
    path: path.join('.'),
    message,
  }));
}
