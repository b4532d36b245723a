import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import {
  openedAlertQuery,
  readAlert,
  type Alert,
  type VersionedAlert,
} from '../../api/queries/alerts.ts';
import { nameOf } from '../../alerting/states.ts';
import { Conflict } from '../../kit/conflict.tsx';
import { Empty, Failure, Skeleton } from '../../kit/state.tsx';
import { toast } from '../../kit/toast.tsx';
import { useTitle } from '../../view/use-title.ts';
import { useTurn } from '../../view/use-turn.ts';
import { Editor } from './editor.tsx';
import { differences } from './model/differences.ts';
import { draftOf } from './model/draft.ts';
import { useEditor } from './model/use-editor.ts';
import { useLists, type Lists } from './model/use-lists.ts';
import { watchedText } from './model/watched.ts';

const route = getRouteApi('/inside/alerts/$id/edit');

/** Changes an alert. */
export function EditAlert() {
  const { id } = route.useParams();
  const { lists, error: listError, retry } = useLists();
  const { data, error, refetch } = useQuery(openedAlertQuery(id));
  useTitle(data ? `Edit ${nameOf(data.item)}` : 'Alert');
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Empty title="There is no such alert" actions={<Link to="/alerts">Alerts</Link>}>
        Somebody deleted it, or the address is wrong.
      </Empty>
    );
  }
  const failure = error ?? listError;
  if (failure) {
    const again = (): void => {
      retry();
      void refetch();
    };
    return <Failure title="The editor cannot be shown" error={failure} onRetry={again} />;
  }
  return data && lists ? (
    <Opened key={id} opened={data} lists={lists} />
  ) : (
    <Skeleton lines={10} height={40} />
  );
}

/** The form begins again if the person takes the version of somebody else. */
function Opened({ opened, lists }: { opened: VersionedAlert; lists: Lists }) {
  const [form, setForm] = useState({ round: 0, opened });
  return (
    <Changing
      key={form.round}
      opened={form.opened}
      lists={lists}
      onTheirs={(theirs) => setForm({ round: form.round + 1, opened: theirs })}
    />
  );
}

interface ChangingProps {
  opened: VersionedAlert;
  lists: Lists;
  onTheirs(theirs: VersionedAlert): void;
}

function Changing({ opened, lists, onTheirs }: ChangingProps) {
  const navigate = useNavigate();
  const { take } = useTurn();
  const { id } = opened.item;
  const [original] = useState(() => draftOf(opened.item));
  const [theirs, setTheirs] = useState<VersionedAlert>();
  const readTheirs = async (): Promise<void> => {
    try {
      setTheirs(await readAlert(id));
    } catch {
      toast(
        'Another person changed the alert. Its new version cannot be read. Save again.',
        'error',
      );
    }
  };
  const model = useEditor({
    lists,
    draftKey: id,
    original,
    stored: { id, version: opened.version },
    onConflict: () => void readTheirs(),
  });
  const saved = async (alert: Alert | undefined): Promise<void> => {
    if (alert) {
      model.discard();
      toast(`“${nameOf(alert)}” is saved.`);
      await navigate({ to: '/alerts/$id', params: { id }, ignoreBlocker: true });
    }
  };
  return (
    <Editor
      title={nameOf(opened.item)}
      model={model}
      back={{ href: `/alerts/${id}`, label: 'Alert' }}
      saveLabel="Save"
      onSave={() => void take(async () => saved(await model.save()))}
    >
      {theirs && (
        <Conflict
          name={nameOf(theirs.item)}
          differences={differences(draftOf(theirs.item), model.draft, {
            source: (draft) => watchedText(draft, lists),
            webhook: (one) => lists.webhooks.find((webhook) => webhook.id === one)?.name ?? one,
          })}
          isSaving={model.isSaving}
          error={model.error?.message}
          onMine={() => void take(async () => saved(await model.saveOver(theirs.version)))}
          onTheirs={() => {
            model.discard();
            onTheirs(theirs);
          }}
          onClose={() => setTheirs(undefined)}
        />
      )}
    </Editor>
  );
}
