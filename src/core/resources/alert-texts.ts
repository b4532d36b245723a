import type { AlertChange } from '../../contract/alert/alert.ts';
import type { Principal } from '../../ports/principal.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import type { DocumentBodies } from '../../ports/store/document-store.ts';
import type { SourcedText } from './text-check.ts';

const watching = [
  'groupBy',
  'source',
  'dashboardId',
  'tileId',
  'savedSearchId',
] as const satisfies (keyof AlertChange)[];

/**
 * The grouping of an alert, with the source that it queries. Empty if a change affects neither.
 */
export async function alertTexts(
  store: Pick<StoreReader, 'documents'>,
  principal: Principal,
  body: DocumentBodies['alert'],
  sent: AlertChange,
): Promise<SourcedText[]> {
  if (body.groupBy === undefined || !watching.some((name) => sent[name] !== undefined)) {
    return [];
  }
  return [
    {
      path: 'groupBy',
      text: body.groupBy,
      as: 'groups',
      ...(await watched(store, principal, body)),
    },
  ];
}

/** Empty if the alert names no query yet, or one that does not exist. */
async function watched(
  { documents }: Pick<StoreReader, 'documents'>,
  { workspace }: Principal,
  { source, savedSearchId, dashboardId, tileId }: DocumentBodies['alert'],
): Promise<Pick<SourcedText, 'sourceId' | 'metricType'>> {
  if (source !== 'tile') {
    const search =
      savedSearchId === undefined
        ? undefined
        : await documents.get(workspace.id, 'savedSearch', savedSearchId);
    return { sourceId: search?.body.sourceId };
  }
  const dashboard =
    dashboardId === undefined
      ? undefined
      : await documents.get(workspace.id, 'dashboard', dashboardId);
  const config = dashboard?.body.tiles.find(({ id }) => id === tileId)?.config;
  if (config === undefined || config.displayType === 'markdown') {
    return {};
  }
  return {
    sourceId: config.sourceId,
    metricType: config.displayType === 'search' ? undefined : config.select[0]?.metricType,
  };
}
