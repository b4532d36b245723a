import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../kit/button.tsx';
import { LeaveDialog } from '../../kit/leave-dialog.tsx';
import { toast } from '../../kit/toast.tsx';
import { useTitle } from '../../view/use-title.ts';
import { useTurn } from '../../view/use-turn.ts';
import { useWebhookForm } from '../../webhooks/use-webhook-form.ts';
import { WebhookForm } from '../../webhooks/webhook-form.tsx';
import { PageHead } from './page-head.tsx';

/** Makes a webhook. */
export function NewWebhook() {
  useTitle('New webhook');
  const navigate = useNavigate();
  const model = useWebhookForm();
  const { take } = useTurn();
  const create = async (): Promise<void> => {
    const made = await model.save();
    if (made) {
      toast(`“${made.item.name}” is created.`);
      await navigate({ to: '/settings/webhooks', ignoreBlocker: true });
    }
  };
  return (
    <>
      <PageHead title="New webhook" />
      <WebhookForm
        model={model}
        onSubmit={() => void take(create)}
        actions={
          <>
            <Button onClick={() => void navigate({ to: '/settings/webhooks' })}>Cancel</Button>
            <Button
              look="primary"
              type="submit"
              aria-keyshortcuts="Control+Enter"
              disabled={model.isSaving}
            >
              Create webhook
            </Button>
          </>
        }
      />
      <LeaveDialog isChanged={model.isChanged}>
        <p>The webhook is not created yet. What you entered is lost.</p>
      </LeaveDialog>
    </>
  );
}
