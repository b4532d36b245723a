import { useState } from 'react';
import { readWebhook, webhookQuery, type VersionedWebhook } from '../../api/queries/webhooks.ts';
import { queries } from '../../api/query-client.ts';
import { Button } from '../../kit/button.tsx';
import { Conflict } from '../../kit/conflict.tsx';
import { LeaveDialog } from '../../kit/leave-dialog.tsx';
import { toast } from '../../kit/toast.tsx';
import { useTurn } from '../../view/use-turn.ts';
import { useWebhookForm } from '../../webhooks/use-webhook-form.ts';
import { WebhookForm } from '../../webhooks/webhook-form.tsx';
import { differences } from './differences.ts';

interface EditWebhookProps {
  stored: VersionedWebhook;
  /** The form begins again, with that version. */
  onNew(stored: VersionedWebhook): void;
}

/** Changes a webhook. Somebody else's change in between is a choice, not a loss. */
export function EditWebhook({ stored: opened, onNew }: EditWebhookProps) {
  const [theirs, setTheirs] = useState<VersionedWebhook>();
  const { take } = useTurn();
  const { id } = opened.item;
  const readTheirs = async (): Promise<void> => {
    try {
      setTheirs(await readWebhook(id));
    } catch {
      toast('The webhook changed meanwhile, and its new version cannot be read.', 'error');
    }
  };
  const model = useWebhookForm({ stored: opened, onConflict: () => void readTheirs() });
  const saved = (version: VersionedWebhook | undefined): void => {
    if (version) {
      toast(`“${version.item.name}” is saved.`);
      onNew(version);
    }
  };
  const openTheirs = (): void => {
    if (theirs) {
      queries.setQueryData(webhookQuery(id).queryKey, theirs);
      onNew(theirs);
    }
  };
  return (
    <>
      <WebhookForm
        model={model}
        onSubmit={() => void take(async () => saved(await model.save()))}
        actions={
          <>
            <Button disabled={!model.isChanged} onClick={() => onNew(opened)}>
              Discard changes
            </Button>
            <Button
              look="primary"
              type="submit"
              aria-keyshortcuts="Control+Enter"
              disabled={model.isSaving || !model.isChanged}
            >
              Save
            </Button>
          </>
        }
      />
      {theirs && (
        <Conflict
          name={theirs.item.name}
          differences={differences(theirs.item, model.draft)}
          isSaving={model.isSaving}
          error={model.error?.message}
          onMine={() => void take(async () => saved(await model.saveOver(theirs.version)))}
          onTheirs={openTheirs}
          onClose={() => setTheirs(undefined)}
        />
      )}
      <LeaveDialog isChanged={model.isChanged}>
        <p>The changes of “{opened.item.name}” are not saved. They are lost if you leave.</p>
      </LeaveDialog>
    </>
  );
}
