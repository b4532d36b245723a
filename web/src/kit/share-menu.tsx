import { Share2 } from 'lucide-react';
import { isRelative, type Span, type TimeRange } from '../view/time-range.ts';
import { IconButton } from './button.tsx';
import { Menu, MenuItem } from './menu.tsx';
import { copy } from './state.tsx';

interface ShareMenuProps {
  range: TimeRange;
  /** What the range is now. */
  span: Span;
  /** What a link says beside its times, or does not say. */
  onLink?(params: URLSearchParams, isFixed: boolean): void;
}

/** Copies a link to what is shown; with fixed times, so that others see the same data. */
export function ShareMenu({ range, span, onLink }: ShareMenuProps) {
  const link = (isFixed: boolean): string => {
    const url = new URL(location.href);
    if (isFixed) {
      url.searchParams.set('from', String(Math.floor(span.startMs)));
      url.searchParams.set('to', String(Math.ceil(span.endMs)));
    }
    onLink?.(url.searchParams, isFixed);
    return url.href;
  };
  return (
    <Menu
      align="end"
      trigger={
        <IconButton look="normal" label="Share">
          <Share2 size={16} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem onSelect={() => void copy(link(true), 'Link')}>Copy link with these times</MenuItem>
      {isRelative(range) && (
        <MenuItem onSelect={() => void copy(link(false), 'Link')}>
          Copy link with the relative range
        </MenuItem>
      )}
    </Menu>
  );
}
