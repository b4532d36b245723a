import type { ReactNode } from 'react';
import { IconButton } from '../../../kit/button.tsx';
import { Menu, MenuItem } from '../../../kit/menu.tsx';
import { copy } from '../../../kit/state.tsx';
import { isRelative } from '../../../view/time-range.ts';
import type { SearchModel } from '../model.ts';

/** Copies a link to what is shown; with fixed times, so that others see the same rows. */
export function ShareMenu({ model, icon }: { model: SearchModel; icon: ReactNode }) {
  const link = (isFixed: boolean): string => {
    const url = new URL(location.href);
    if (model.source) {
      url.searchParams.set('source', model.source.id);
    }
    if (isFixed) {
      url.searchParams.set('from', String(Math.floor(model.span.startMs)));
      url.searchParams.set('to', String(Math.ceil(model.span.endMs)));
      url.searchParams.delete('live');
    }
    return url.href;
  };
  return (
    <Menu
      align="end"
      trigger={
        <IconButton look="normal" label="Share">
          {icon}
        </IconButton>
      }
    >
      <MenuItem onSelect={() => void copy(link(true), 'Link')}>Copy link with these times</MenuItem>
      {isRelative(model.range) && (
        <MenuItem onSelect={() => void copy(link(false), 'Link')}>
          Copy link with the relative range
        </MenuItem>
      )}
    </Menu>
  );
}
