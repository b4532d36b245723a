import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { nameOf } from '../../alerting/states.ts';
import { Failure, Skeleton } from '../../kit/state.tsx';
import { toast } from '../../kit/toast.tsx';
import { useTitle } from '../../view/use-title.ts';
import { useTurn } from '../../view/use-turn.ts';
import { Editor } from './editor.tsx';
import { newDraft, type AlertDraft } from './model/draft.ts';
import { useEditor } from './model/use-editor.ts';
import { useLists, type Lists } from './model/use-lists.ts';
import type { NewAlertParams } from './params.ts';

const route = getRouteApi('/inside/alerts/new');

/** Creates an alert. The address may name its saved search or its tile. */
export function NewAlert() {
  useTitle('New alert');
  const params = route.useSearch();
  const { lists, error, retry } = useLists();
  if (error) {
    return <Failure title="The editor cannot be shown" error={error} onRetry={retry} />;
  }
  const draftKey = keyOf(params);
  return lists ? (
    <Making key={draftKey} draftKey={draftKey} params={params} lists={lists} />
  ) : (
    <Skeleton lines={10} height={40} />
  );
}

/** Each saved search and each tile has a draft of its own. */
const keyOf = ({ savedSearchId, dashboardId, tileId }: NewAlertParams): string =>
  ['new', savedSearchId ?? dashboardId, tileId].filter((part) => part !== undefined).join(':');

interface MakingProps {
  draftKey: string;
  params: NewAlertParams;
  lists: Lists;
}

function Making({ draftKey, params, lists }: MakingProps) {
  const navigate = useNavigate();
  const [original] = useState(() => beginning(params, lists));
  const model = useEditor({ lists, draftKey, original });
  const { take } = useTurn();
  const save = async (): Promise<void> => {
    const made = await model.save();
    if (made) {
      model.discard();
      toast(`“${nameOf(made)}” is created.`);
      await navigate({ to: '/alerts/$id', params: { id: made.id }, ignoreBlocker: true });
    }
  };
  return (
    <Editor
      title="New alert"
      model={model}
      back={{ href: '/alerts', label: 'Alerts' }}
      saveLabel="Create alert"
      onSave={() => void take(save)}
    />
  );
}

/** A draft of the object in the address, with the webhook if there is only one. */
function beginning(params: NewAlertParams, { webhooks }: Lists): AlertDraft {
  const { savedSearchId, dashboardId, tileId } = params;
  const [webhook, ...others] = webhooks;
  return {
    ...newDraft,
    source: savedSearchId === undefined && dashboardId !== undefined ? 'tile' : 'search',
    savedSearchId,
    dashboardId,
    tileId,
    webhookIds: webhook && others.length === 0 ? [webhook.id] : [],
  };
}
