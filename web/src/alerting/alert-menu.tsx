import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Copy, Ellipsis, Link2, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import {
  alertQuery,
  createAlert,
  deleteAlert,
  readAlert,
  silenceAlert,
  type Alert,
} from '../api/queries/alerts.ts';
import { useAction } from '../api/use-action.ts';
import { IconButton } from '../kit/button.tsx';
import { Confirm } from '../kit/confirm.tsx';
import { Menu, MenuItem, MenuSeparator } from '../kit/menu.tsx';
import { copy, Skeleton } from '../kit/state.tsx';
import { toast } from '../kit/toast.tsx';
import { copyOf } from './copy-of.ts';
import { nameOf } from './states.ts';

interface AlertMenuProps {
  alert: Alert;
  onDeleted?: (() => void) | undefined;
}

/** Everything that is not done every day. */
export function AlertMenu({ alert, onDeleted }: AlertMenuProps) {
  const router = useRouter();
  const [isDeleting, setDeleting] = useState(false);
  const path = `/alerts/${alert.id}`;
  const duplicate = async (): Promise<void> => {
    try {
      const made = await createAlert(copyOf(alert));
      // It would notify everybody of what its original tells them.
      await silenceAlert(made.id);
      toast(`“${nameOf(made)}” is made. It sends nothing until you end its silence.`);
      router.history.push(`/alerts/${made.id}`);
    } catch (error) {
      toast(error instanceof ApiError ? error.message : String(error), 'error');
    }
  };
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label={`More actions of ${nameOf(alert)}`}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem
          icon={<Pencil size={14} aria-hidden />}
          onSelect={() => router.history.push(`${path}/edit`)}
        >
          Edit
        </MenuItem>
        <MenuItem icon={<Copy size={14} aria-hidden />} onSelect={() => void duplicate()}>
          Duplicate
        </MenuItem>
        <MenuItem
          icon={<Link2 size={14} aria-hidden />}
          onSelect={() => void copy(location.origin + path, 'Link')}
        >
          Copy link
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          look="danger"
          icon={<Trash2 size={14} aria-hidden />}
          onSelect={() => setDeleting(true)}
        >
          Delete…
        </MenuItem>
      </Menu>
      {isDeleting && (
        <DeleteDialog alert={alert} onDeleted={onDeleted} onClose={() => setDeleting(false)} />
      )}
    </>
  );
}

interface DeleteDialogProps extends AlertMenuProps {
  onClose(): void;
}

/** Deletes the alert as it was when the dialog opened; asks again if somebody changed it since. */
function DeleteDialog({ alert, onDeleted, onClose }: DeleteDialogProps) {
  const { data } = useQuery({ ...alertQuery(alert.id), staleTime: Infinity });
  const [version, setVersion] = useState<string>();
  const [isChanged, setChanged] = useState(false);
  const { isBusy, error, run } = useAction();
  // The first one that is known: the page may read newer ones meanwhile.
  useEffect(() => setVersion((now) => now ?? data?.version), [data]);
  const remove = async (): Promise<void> => {
    if (version === undefined) {
      return;
    }
    try {
      await deleteAlert(alert.id, version);
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.status === 412)) {
        throw failure;
      }
      setVersion((await readAlert(alert.id)).version);
      setChanged(true);
      return;
    }
    toast(`“${nameOf(alert)}” is deleted.`);
    onClose();
    onDeleted?.();
  };
  return (
    <Confirm
      title={`Delete “${nameOf(alert)}”?`}
      action={isChanged ? 'Delete it as it is now' : 'Delete alert'}
      isBusy={isBusy || version === undefined}
      error={error}
      onConfirm={() => void run(remove)}
      onClose={onClose}
    >
      {isChanged && (
        <p role="alert">Somebody changed this alert after you opened it. Nothing is deleted yet.</p>
      )}
      {version === undefined && <Skeleton lines={1} />}
      <p>
        Its state, its history and notifications that are under way go with it. What fires now ends
        without a message.
      </p>
    </Confirm>
  );
}
