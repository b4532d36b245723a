import { Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface PageLinkProps {
  /** Path of a screen, or of one of its pages. */
  path: string;
  /** The group of the API reference that stands in for a screen that does not exist yet. */
  tag: string;
  children: ReactNode;
}

/** A link to the screen of an object, or to the reference of its API. */
export function PageLink({ path, tag, children }: PageLinkProps) {
  const { routesByPath } = useRouter();
  const isKnown = path in routesByPath || path.replace(/[^/]+$/, '$id') in routesByPath;
  return isKnown ? (
    <Link to={path}>{children}</Link>
  ) : (
    <a href={`/api/v2/docs#${tag}`}>{children}</a>
  );
}
