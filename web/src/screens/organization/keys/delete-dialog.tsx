import { deleteKey, type OrganizationKey } from '../../../api/queries/organization.ts';
import { useAction } from '../../../api/use-action.ts';
import { Confirm } from '../../../kit/confirm.tsx';
import { toast } from '../../../kit/toast.tsx';
import { nameOf } from './words.ts';

interface DeleteDialogProps {
  apiKey: OrganizationKey;
  onClose(): void;
}

export function DeleteDialog({ apiKey, onClose }: DeleteDialogProps) {
  const { isBusy, error, run } = useAction();
  const remove = async (): Promise<void> => {
    await deleteKey(apiKey.id);
    toast(`“${nameOf(apiKey)}” is deleted.`);
    onClose();
  };
  return (
    <Confirm
      title={`Delete “${nameOf(apiKey)}”?`}
      action="Delete key"
      isBusy={isBusy}
      error={error}
      onConfirm={() => void run(remove)}
      onClose={onClose}
    >
      <p>Programs that use the key that ends in {apiKey.keySuffix} are refused at once.</p>
    </Confirm>
  );
}
