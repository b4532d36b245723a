import { getRouteApi } from '@tanstack/react-router';
import {
  BellPlus,
  ClipboardCopy,
  Copy,
  Ellipsis,
  Maximize2,
  Pencil,
  Table2,
  Trash2,
} from 'lucide-react';
import type { Tile } from '../../../api/queries/dashboards.ts';
import { IconButton } from '../../../kit/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../kit/menu.tsx';
import { copyTile } from './copy-tile.ts';
import type { TileActions } from './tile-actions.ts';
import styles from './grid.module.css';

interface TileMenuProps {
  tile: Tile;
  title: string;
  editing: TileActions | undefined;
  onOpen(): void;
  onTable: (() => void) | undefined;
}

/** Actions on a tile. */
export function TileMenu({ tile, title, editing, onOpen, onTable }: TileMenuProps) {
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={`Actions of ${title}`} size="small" className={styles.menu}>
          <Ellipsis size={14} aria-hidden />
        </IconButton>
      }
    >
      {editing ? (
        <>
          <MenuItem
            icon={<Pencil size={14} aria-hidden />}
            shortcut="Enter"
            onSelect={() => editing.onEdit(tile.id)}
          >
            Edit
          </MenuItem>
          <MenuItem
            icon={<Copy size={14} aria-hidden />}
            shortcut="d"
            onSelect={() => editing.onDuplicate(tile.id)}
          >
            Duplicate
          </MenuItem>
          <MenuItem
            icon={<ClipboardCopy size={14} aria-hidden />}
            shortcut="mod+c"
            onSelect={() => void copyTile(tile)}
          >
            Copy as JSON
          </MenuItem>
        </>
      ) : (
        <>
          <MenuItem icon={<Maximize2 size={14} aria-hidden />} onSelect={onOpen}>
            Show alone
          </MenuItem>
          <MenuItem
            icon={<ClipboardCopy size={14} aria-hidden />}
            onSelect={() => void copyTile(tile)}
          >
            Copy as JSON
          </MenuItem>
        </>
      )}
      {onTable && (
        <MenuItem icon={<Table2 size={14} aria-hidden />} onSelect={onTable}>
          As table
        </MenuItem>
      )}
      {!editing && tile.config.displayType !== 'markdown' && <AlertItem tileId={tile.id} />}
      {editing && (
        <>
          <MenuSeparator />
          <MenuItem
            look="danger"
            shortcut="Delete"
            icon={<Trash2 size={14} aria-hidden />}
            onSelect={() => editing.onRemove(tile.id)}
          >
            Remove
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

const route = getRouteApi('/inside/dashboards/$id');

function AlertItem({ tileId }: { tileId: string }) {
  const { id: dashboardId } = route.useParams();
  const navigate = route.useNavigate();
  return (
    <MenuItem
      icon={<BellPlus size={14} aria-hidden />}
      onSelect={() => void navigate({ to: '/alerts/new', search: { dashboardId, tileId } })}
    >
      Create alert
    </MenuItem>
  );
}
