import { Ellipsis, Pencil, Square, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import {
  deleteMaintenance,
  readMaintenance,
  updateMaintenance,
  type MaintenanceWindow,
} from '../../../api/queries/maintenance.ts';
import { useAction } from '../../../api/use-action.ts';
import { IconButton } from '../../../kit/button.tsx';
import { Confirm } from '../../../kit/confirm.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../kit/menu.tsx';
import { toast } from '../../../kit/toast.tsx';

interface WindowActionsProps {
  window: MaintenanceWindow;
  onEdit(): void;
}

/** Change, end or delete a window. */
export function WindowActions({ window, onEdit }: WindowActionsProps) {
  const [isDeleting, setDeleting] = useState(false);
  const isEndable = window.active && window.schedule.type === 'once';
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label={`Actions of ${window.name}`}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={onEdit}>
          Edit
        </MenuItem>
        {isEndable && (
          <MenuItem
            icon={<Square size={14} aria-hidden />}
            onSelect={() => void endNow(window.id, window.name)}
          >
            End it now
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem
          look="danger"
          icon={<Trash2 size={14} aria-hidden />}
          onSelect={() => setDeleting(true)}
        >
          Delete…
        </MenuItem>
      </Menu>
      {isDeleting && <DeleteDialog window={window} onClose={() => setDeleting(false)} />}
    </>
  );
}

/** Moves the end of a window of the present to now; it stays in the list. */
async function endNow(id: string, name: string): Promise<void> {
  try {
    const { item, version } = await readMaintenance(id);
    const { schedule } = item;
    if (schedule.type === 'once') {
      const to = new Date().toISOString();
      await updateMaintenance(id, version, { schedule: { ...schedule, to } });
      toast(`“${name}” has ended.`);
    }
  } catch (error) {
    toast(error instanceof ApiError ? error.message : String(error), 'error');
  }
}

function DeleteDialog({ window, onClose }: { window: MaintenanceWindow; onClose(): void }) {
  const { isBusy, error, run } = useAction();
  const remove = async (): Promise<void> => {
    await deleteMaintenance(window.id);
    toast(`“${window.name}” is deleted.`);
    onClose();
  };
  return (
    <Confirm
      title={`Delete “${window.name}”?`}
      action="Delete window"
      isBusy={isBusy}
      error={error}
      onConfirm={() => void run(remove)}
      onClose={onClose}
    >
      <p>
        {window.active
          ? 'It is on: it ends now, and each alert that still fires sends a notification.'
          : 'Its alerts send notifications at that time.'}
      </p>
    </Confirm>
  );
}
