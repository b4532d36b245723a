import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { toast } from '../../../kit/toast.tsx';
import { useTurn } from '../../../view/use-turn.ts';
import { useWebhookForm } from '../../../webhooks/use-webhook-form.ts';
import { WebhookForm } from '../../../webhooks/webhook-form.tsx';

interface NewWebhookDialogProps {
  onMade(id: string): void;
  onClose(): void;
}

/** Creates a webhook without leaving the alert. */
export function NewWebhookDialog({ onMade, onClose }: NewWebhookDialogProps) {
  const model = useWebhookForm();
  const { take } = useTurn();
  const create = async (): Promise<void> => {
    const made = await model.save();
    if (made) {
      toast(`“${made.item.name}” is created.`);
      onMade(made.item.id);
      onClose();
    }
  };
  return (
    <Dialog title="New webhook" look="wide" open onOpenChange={onClose}>
      <WebhookForm
        model={model}
        onSubmit={() => void take(create)}
        actions={
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button look="primary" type="submit" disabled={model.isSaving}>
              Create webhook
            </Button>
          </>
        }
      />
    </Dialog>
  );
}
