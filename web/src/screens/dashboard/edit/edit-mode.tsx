import { Check, Plus, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Tile } from '../../../api/queries/dashboards.ts';
import { Button } from '../../../kit/button.tsx';
import { LeaveDialog } from '../../../kit/leave-dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../kit/menu.tsx';
import { toast } from '../../../kit/toast.tsx';
import { kindNames, newTile, type TileKindName } from '../../../tiles/form/new-tile.ts';
import { bottomOf } from '../../../tiles/model/layout.ts';
import { useKeys } from '../../../view/keys.ts';
import type { DashboardModel } from '../model.ts';
import { duplicateTile, pasteTiles, removeTile, tilesOfText } from './edits.ts';
import { SaveDialog } from './save-dialog.tsx';
import { freshId, type Draft } from './use-draft.ts';
import styles from './edit.module.css';

interface EditBarProps {
  model: DashboardModel;
  draft: Draft;
  defaultSource: string | undefined;
  onSettings(): void;
}

/** What stands above a dashboard that is being edited. */
export function EditBar({ model, draft, defaultSource, onSettings }: EditBarProps) {
  const [isSaving, setSaving] = useState(false);
  const leave = (): void => model.show({ edit: undefined, tile: undefined });
  const save = (): void => (draft.isChanged ? setSaving(true) : leave());
  useSaveKey(save);
  usePaste(draft);
  const add = (kind: TileKindName): void => {
    const tile: Tile = { ...newTile(kind, defaultSource), id: freshId() };
    draft.changeTiles((tiles) => [...tiles, { ...tile, y: bottomOf(tiles) }]);
    model.show({ tile: tile.id });
  };
  return (
    <div className={styles.bar} role="group" aria-label="Edit">
      <Menu trigger={<Button icon={<Plus size={14} aria-hidden />}>Add tile</Button>}>
        {(Object.keys(kindNames) as TileKindName[]).map((kind) => (
          <MenuItem
            key={kind}
            disabled={kind !== 'markdown' && defaultSource === undefined}
            onSelect={() => add(kind)}
          >
            {kindNames[kind]}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem shortcut="mod+v" onSelect={() => void pasteFromClipboard(draft)}>
          Paste tiles
        </MenuItem>
      </Menu>
      <Button onClick={onSettings}>Name, tags and filters (variables)</Button>
      <span className={styles.state} role="status">
        {draft.isChanged ? 'Not saved. This browser keeps the draft.' : 'No change.'}
      </span>
      <Button
        icon={<X size={14} aria-hidden />}
        onClick={() => {
          draft.discard();
          leave();
        }}
      >
        {draft.isChanged ? 'Discard changes' : 'Done'}
      </Button>
      <Button
        look="primary"
        icon={<Check size={14} aria-hidden />}
        aria-keyshortcuts="Control+S"
        disabled={!draft.isChanged}
        onClick={save}
      >
        Save
      </Button>
      {isSaving && (
        <SaveDialog id={model.id} draft={draft} onSaved={leave} onClose={() => setSaving(false)} />
      )}
      <LeaveDialog isChanged={draft.isChanged} isKept onDiscard={draft.discard}>
        <p>
          The dashboard has changes that are not saved. A draft that you keep opens with “Edit”.
        </p>
      </LeaveDialog>
    </div>
  );
}

function pasted(draft: Draft, tiles: ReturnType<typeof tilesOfText>): void {
  if (tiles) {
    draft.changeTiles(pasteTiles(tiles));
    toast(tiles.length === 1 ? 'Tile pasted.' : `${tiles.length} tiles pasted.`);
  }
}

async function pasteFromClipboard(draft: Draft): Promise<void> {
  try {
    const tiles = tilesOfText(await navigator.clipboard.readText());
    pasted(draft, tiles);
    if (!tiles) {
      toast('The clipboard has no tiles. Copy one with “Copy as JSON”.', 'error');
    }
  } catch {
    toast('The browser does not allow this page to read the clipboard. Press Ctrl+V.', 'error');
  }
}

/** Pastes tiles that were copied as JSON, from this or another dashboard. */
function usePaste(draft: Draft): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const { target } = event;
      const isField = target instanceof HTMLElement && /^(INPUT|TEXTAREA)$/.test(target.tagName);
      const tiles = isField ? undefined : tilesOfText(event.clipboardData?.getData('text') ?? '');
      if (tiles) {
        event.preventDefault();
        pasted(draft, tiles);
      }
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [draft]);
}

/** Ctrl+S saves also the text of the field that has the focus: it counts once the field is left. */
function useSaveKey(save: () => void): void {
  const [isAsked, setAsked] = useState(false);
  const ask = (): void => {
    if (document.activeElement instanceof HTMLElement) {
      document.activeElement.blur();
    }
    setAsked(true);
  };
  useKeys({ 'mod+s': ask });
  useEffect(() => {
    if (isAsked) {
      setAsked(false);
      save();
    }
  }, [isAsked, save]);
}

/** Actions on the tile that has the focus. */
export function tileActions(draft: Draft, model: DashboardModel) {
  return {
    onEdit: (id: string) => model.show({ tile: id }),
    onDuplicate: (id: string) => draft.changeTiles(duplicateTile(id, freshId())),
    onRemove: (id: string) => draft.changeTiles(removeTile(id)),
  };
}
