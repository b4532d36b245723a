import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import type { searchOfValue } from '../../tiles/model/search-link.ts';
import styles from './explore.module.css';

interface RowsLinkProps {
  name: string;
  search: ReturnType<typeof searchOfValue>;
}

/** The rows behind a value, in the search screen. */
export function RowsLink({ name, search }: RowsLinkProps) {
  return search ? (
    <Link to="/search" search={search} className={styles.rowsLink} aria-label={`Rows of ${name}`}>
      <Search size={12} aria-hidden />
      <span>Rows</span>
    </Link>
  ) : null;
}
