import { useQuery } from '@tanstack/react-query';
import { alertsQuery } from '../../api/queries/alerts.ts';
import { deleteWebhook, type Webhook } from '../../api/queries/webhooks.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { toast } from '../../kit/toast.tsx';
import { plural } from '../../view/number-format.ts';
import { AlertLinks } from './alert-links.tsx';
import { usersOf } from './users.ts';

interface DeleteDialogProps {
  webhook: Webhook;
  onDeleted?: () => void;
  onClose(): void;
}

/** Deletes a webhook that no alert uses, or names the alerts that do. */
export function DeleteDialog({ webhook, onDeleted, onClose }: DeleteDialogProps) {
  const { id, name } = webhook;
  const { data: alerts = [] } = useQuery({ ...alertsQuery, staleTime: 0 });
  const { isBusy, error, run } = useAction();
  const users = usersOf(id, alerts);
  if (users.length > 0) {
    return (
      <Dialog
        title={`“${name}” is in use`}
        open
        onOpenChange={onClose}
        actions={<Button onClick={onClose}>Close</Button>}
      >
        <p>
          {plural(users.length, 'alert notifies', 'alerts notify')} this webhook. Choose another
          webhook there, or delete {users.length === 1 ? 'the alert' : 'the alerts'} first.
        </p>
        <AlertLinks alerts={users} />
      </Dialog>
    );
  }
  const remove = async (): Promise<void> => {
    await deleteWebhook(id);
    toast(`“${name}” is deleted.`);
    onClose();
    onDeleted?.();
  };
  return (
    <Confirm
      title={`Delete “${name}”?`}
      action="Delete webhook"
      isBusy={isBusy}
      error={error}
      onConfirm={() => void run(remove)}
      onClose={onClose}
    >
      <p>No alert uses it. The list of its deliveries goes, too.</p>
    </Confirm>
  );
}
