import type { AlertChange } from '../../contract/alert.ts';
import type { Tile } from '../../contract/dashboard.ts';
import type { Principal } from '../../ports/principal.ts';
import type { Store } from '../../ports/store.ts';
import type { AlertBody } from './alert.ts';
import type { SourcedText } from './text-check.ts';

const watching = [
  'groupBy',
  'source',
  'dashboardId',
  'tileId',
  'savedSearchId',
] as const satisfies (keyof AlertChange)[];

/** The groups of an alert, about the source that it watches; nothing where a change leaves both as they are. */
export async function alertTexts(
  store: Pick<Store, 'documents'>,
  principal: Principal,
  body: AlertBody,
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

/** Empty where the alert does not say yet, or names what does not exist. */
async function watched(
  { documents }: Pick<Store, 'documents'>,
  { workspace }: Principal,
  { source, savedSearchId, dashboardId, tileId }: AlertBody,
): Promise<Pick<SourcedText, 'sourceId' | 'metricType'>> {
  if (source !== 'tile') {
    const search =
      savedSearchId === undefined
        ? undefined
        : await documents.get(workspace.id, 'savedSearch', savedSearchId);
    return { sourceId: search?.body['sourceId'] as string | undefined };
  }
  const dashboard =
    dashboardId === undefined
      ? undefined
      : await documents.get(workspace.id, 'dashboard', dashboardId);
  const config = (dashboard?.body['tiles'] as unknown as Tile[] | undefined)?.find(
    ({ id }) => id === tileId,
  )?.config;
  if (config === undefined || config.displayType === 'markdown') {
    return {};
  }
  return {
    sourceId: config.sourceId,
    metricType: config.displayType === 'search' ? undefined : config.select[0]?.metricType,
  };
}
