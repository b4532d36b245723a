import { useEffect } from 'react';
import { readPref, writePref, type RecentPage } from './prefs.ts';
import { useTitle } from './use-title.ts';

const kept = 20;
const titleMax = 200;

/**
 * Title of a page that shows one object, such as a trace, and its place among the recent pages.
 *
 * @param search what the page is opened with again; by default what it shows now
 */
export function useRecentPage(title: string, search?: string): void {
  useTitle(title);
  useEffect(() => noteVisit(title, search ?? location.search), [title, search]);
}

function noteVisit(title: string, search: string): void {
  const { pathname } = location;
  const page = { href: pathname + search, title: title.slice(0, titleMax) };
  const others = recentPages().filter(({ href }) => pathOf(href) !== pathname);
  writePref('recentPages', [page, ...others].slice(0, kept));
}

/** Pages of objects that the person has opened, but the one that is open. Latest first. */
export function otherRecentPages(): RecentPage[] {
  return recentPages().filter(({ href }) => pathOf(href) !== location.pathname);
}

const pathOf = (href: string): string => href.split('?', 1)[0] ?? href;

/** The list of another version of the interface may have other items. */
function recentPages(): RecentPage[] {
  return readPref('recentPages').filter(
    (page: Partial<RecentPage> | null) =>
      typeof page?.title === 'string' && /^\/(?!\/)/.test(page.href ?? ''),
  );
}
