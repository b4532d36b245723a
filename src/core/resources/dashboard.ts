import {
  createDashboard,
  deleteDashboard,
  getDashboard,
  listDashboards,
  listDashboardSummaries,
  updateDashboard,
  validateDashboard,
  type Dashboard,
  type DashboardChange,
  type DashboardInput,
  type DashboardSummary,
} from '../../contract/dashboard/dashboard.ts';
import type { Tile } from '../../contract/dashboard/tile.ts';
import type { Ids } from '../../ports/ambient.ts';
import type { DocumentBodies, StoredDocument } from '../../ports/store/document-store.ts';
import { invalid } from '../../contract/errors.ts';
import { crudVerbs, type Resource } from '../verb/crud.ts';
import { draftIssues, type Draft, type PlacedReference } from '../verb/draft.ts';
import { readVerb } from '../verb/verb.ts';
import { removeAlerts } from './alert-cascade.ts';
import { dashboardTexts } from './dashboard-texts.ts';
import { given, times } from '../verb/document.ts';
import { textIssues, type TextDependencies } from './text-check.ts';

type DashboardBody = DocumentBodies['dashboard'];

export function dashboardVerbs(deps: TextDependencies) {
  const verbs = crudVerbs(
    {
      list: listDashboards,
      create: createDashboard,
      get: getDashboard,
      update: updateDashboard,
      remove: deleteDashboard,
    },
    dashboardResource(deps),
    deps,
  );
  const validate = readVerb(validateDashboard, async ({ body, principal }) => {
    const issues = [
      ...(await textIssues(deps, principal, dashboardTexts(body))),
      ...(await draftIssues(deps.store, principal, draft(bodyOf(body, deps.ids)))),
    ];
    if (issues.length > 0) {
      throw invalid(issues);
    }
    return { value: { valid: true as const } };
  });
  const summaries = readVerb(listDashboardSummaries, async ({ principal, query }) => {
    const { items, total } = await deps.store.documents.list(
      principal.workspace.id,
      'dashboard',
      query,
    );
    const { limit, offset } = query;
    return { value: items.map(summaryOf), page: { total, limit, offset } };
  });
  return {
    listDashboards: verbs.list,
    listDashboardSummaries: summaries,
    createDashboard: verbs.create,
    getDashboard: verbs.get,
    updateDashboard: verbs.update,
    deleteDashboard: verbs.remove,
    validateDashboard: validate,
  };
}

function dashboardResource(
  deps: TextDependencies,
): Resource<'dashboard', DashboardInput, DashboardChange, Dashboard> {
  const { ids } = deps;
  return {
    kind: 'dashboard',
    noun: 'dashboard',
    present: (stored) => stored.map(dashboardRecord),
    /** What a change does not send stays as it is, whatever has become of its columns. */
    inputIssues: (input, principal) => textIssues(deps, principal, dashboardTexts(input)),

    compose: (input) => draft(bodyOf(input, ids)),

    amend(change, stored) {
      const before = stored.body;
      const { tiles, ...rest } = given(change);
      return draft(
        bodyOf(
          { ...before, ...rest, ...(tiles && { tiles: withIds(tiles, ids, before.tiles) }) },
          ids,
          before.tiles,
        ),
      );
    },

    async amended(before, after, context) {
      const kept = new Set(after.body.tiles.map(({ id }) => id));
      const gone = new Set(before.body.tiles.map(({ id }) => id).filter((id) => !kept.has(id)));
      if (gone.size === 0) {
        return;
      }
      const referrers = await context.parts.documents.referrers(
        before.workspaceId,
        'dashboard',
        before.id,
      );
      await removeAlerts(
        referrers.filter(({ part }) => part !== null && gone.has(part)),
        context,
      );
    },

    async release(stored, context) {
      await removeAlerts(
        await context.parts.documents.referrers(stored.workspaceId, 'dashboard', stored.id),
        context,
      );
    },
  };
}

type Given = Omit<DashboardInput, 'tiles'> & { tiles: DashboardInput['tiles'] | Tile[] };

function bodyOf(
  { name, tiles, tags, filters, savedQuery, savedQueryLanguage }: Given,
  ids: Ids,
  existing: readonly Tile[] = [],
): DashboardBody {
  return {
    name,
    tiles: withIds(tiles, ids, existing),
    tags,
    filters,
    savedQuery: savedQuery ?? '',
    savedQueryLanguage: savedQueryLanguage ?? 'lucene',
  };
}

/** Ids are ours: one that an existing tile has is kept (once), any other is made anew. */
function withIds(
  tiles: DashboardInput['tiles'] | readonly Tile[],
  ids: Ids,
  existing: readonly Tile[] = [],
): Tile[] {
  const free = new Set(existing.map(({ id }) => id));
  return tiles.map(({ id, ...rest }) => ({
    id: id != null && free.delete(id) ? id : ids.object(),
    ...rest,
  }));
}

function draft(
  body: DashboardBody,
): Draft<'dashboard'> & { references: readonly PlacedReference[] } {
  const ofTiles = body.tiles.flatMap(({ config }, index) =>
    'sourceId' in config
      ? [{ kind: 'source' as const, id: config.sourceId, path: `tiles.${index}.config.sourceId` }]
      : [],
  );
  const ofFilters = body.filters.map(({ sourceId }, index) => ({
    kind: 'source' as const,
    id: sourceId,
    path: `filters.${index}.sourceId`,
  }));
  return { body, references: [...ofTiles, ...ofFilters] };
}

function dashboardRecord(stored: StoredDocument<'dashboard'>): Dashboard {
  return { id: stored.id, ...stored.body, ...times(stored) };
}

function summaryOf(stored: StoredDocument<'dashboard'>): DashboardSummary {
  const { name, tags, tiles } = stored.body;
  return { id: stored.id, name, tags, tileCount: tiles.length, ...times(stored) };
}
