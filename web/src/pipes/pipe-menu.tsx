import { Ellipsis, Link2, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Pipe } from '../api/queries/pipes.ts';
import { IconButton } from '../kit/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../kit/menu.tsx';
import { copy } from '../kit/state.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { kindOf } from './kinds.ts';
import { ResyncDialog } from './resync-dialog.tsx';
import { usePipeRights } from './rights.ts';
import { nameOf } from './states.ts';

interface PipeMenuProps {
  pipe: Pick<Pipe, 'id' | 'name' | 'state' | 'source'>;
  onDeleted?: (() => void) | undefined;
}

/** Everything that is not done every day. */
export function PipeMenu({ pipe, onDeleted }: PipeMenuProps) {
  const [open, setOpen] = useState<'delete' | 'resync'>();
  const { canChange, reason } = usePipeRights();
  const close = (): void => setOpen(undefined);
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label={`More actions of ${nameOf(pipe)}`}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem
          icon={<Link2 size={14} aria-hidden />}
          onSelect={() => void copy(`${location.origin}/pipes/${pipe.id}`, 'Link')}
        >
          Copy link
        </MenuItem>
        <MenuSeparator />
        {reason !== undefined && <MenuLabel>{reason}</MenuLabel>}
        {kindOf(pipe) === 'postgres' && (
          <MenuItem
            icon={<RefreshCw size={14} aria-hidden />}
            disabled={!canChange || pipe.state === 'Deleting'}
            onSelect={() => setOpen('resync')}
          >
            Resync…
          </MenuItem>
        )}
        <MenuItem
          look="danger"
          icon={<Trash2 size={14} aria-hidden />}
          disabled={!canChange}
          onSelect={() => setOpen('delete')}
        >
          Delete…
        </MenuItem>
      </Menu>
      {open === 'delete' && <DeleteDialog pipe={pipe} onDeleted={onDeleted} onClose={close} />}
      {open === 'resync' && <ResyncDialog pipe={pipe} onClose={close} />}
    </>
  );
}
