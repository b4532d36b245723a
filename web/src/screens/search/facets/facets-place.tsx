import { ListFilter, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { useMedia } from '../../../view/use-media.ts';
import { usePref } from '../../../view/use-pref.ts';
import type { ReadyModel } from '../model.ts';
import { Facets } from './facets.tsx';
import styles from '../search.module.css';

interface FacetsPlaceProps {
  model: ReadyModel;
  /** A panel beside the table takes room, too. */
  hasPanel: boolean;
}

/** Facets stand beside the table, or in a sheet if the table and the open row need the room. */
function useFacetsPlace(hasPanel: boolean): 'aside' | 'sheet' | 'hidden' {
  const [isShown] = usePref('showFacets');
  const isSmall = useMedia('(max-width: 900px)');
  const isTight = useMedia('(max-width: 1439px)') && hasPanel;
  if (isSmall || (isTight && isShown)) {
    return 'sheet';
  }
  return isShown ? 'aside' : 'hidden';
}

export function FacetsAside({ model, hasPanel }: FacetsPlaceProps) {
  const [, setShown] = usePref('showFacets');
  if (useFacetsPlace(hasPanel) !== 'aside') {
    return null;
  }
  return (
    <aside className={styles.facets} aria-label="Facets">
      <div className={styles.facetsHead}>
        <h2>Facets</h2>
        <IconButton label="Hide facets" shortcut="\\" size="small" onClick={() => setShown(false)}>
          <PanelLeftClose size={14} aria-hidden />
        </IconButton>
      </div>
      <Facets model={model} />
    </aside>
  );
}

/** Opens facets that are not beside the table. It takes no line of its own above the rows. */
export function FacetsOpener({ model, hasPanel }: FacetsPlaceProps) {
  const [, setShown] = usePref('showFacets');
  const [isSheetOpen, setSheetOpen] = useState(false);
  const place = useFacetsPlace(hasPanel);
  if (place === 'aside') {
    return null;
  }
  return (
    <div className={styles.facetsOpener}>
      {place === 'hidden' ? (
        <IconButton label="Show facets" shortcut="\\" size="small" onClick={() => setShown(true)}>
          <PanelLeftOpen size={14} aria-hidden />
        </IconButton>
      ) : (
        <Button
          size="small"
          look="plain"
          icon={<ListFilter size={14} aria-hidden />}
          onClick={() => setSheetOpen(true)}
        >
          Facets
        </Button>
      )}
      <Dialog title="Facets" look="sheet" open={isSheetOpen} onOpenChange={setSheetOpen}>
        <Facets model={model} />
      </Dialog>
    </div>
  );
}
