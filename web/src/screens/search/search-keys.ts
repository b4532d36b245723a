import { fromSpan, shifted, zoomedOut } from '../../view/time-range.ts';
import { useKeys } from '../../view/keys.ts';
import { readPref, writePref } from '../../view/prefs.ts';
import type { SearchModel } from './model.ts';

/** Shortcuts of the whole screen; the table has its own. */
export function useSearchKeys(model: SearchModel, openTime: () => void): void {
  useKeys({
    '/': () =>
      document
        .querySelector<HTMLElement>('[data-query] input, [data-query] [contenteditable]')
        ?.focus(),
    t: openTime,
    r: model.run,
    'mod+Enter': model.run,
    '[': () => model.setRange(fromSpan(shifted(model.span, -1))),
    ']': () => model.setRange(fromSpan(shifted(model.span, 1))),
    '-': () => model.setRange(fromSpan(zoomedOut(model.span, Date.now()))),
    l: () => model.show({ live: model.params.live ? undefined : true, row: undefined }),
    '\\': () => writePref('showFacets', !readPref('showFacets')),
  });
}
