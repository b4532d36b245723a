import { Link } from '@tanstack/react-router';
import { savedFilter } from '../../../api/filters.ts';
import type { SavedSearch } from '../../../api/queries/saved-searches.ts';
import type { Source } from '../../../api/queries/sources.ts';
import { filterLabel } from '../../../view/filters.ts';
import styles from '../alert-editor.module.css';

interface SearchSummaryProps {
  search: SavedSearch;
  sources: readonly Source[];
}

/** Source, query and filters of a saved search. */
export function SearchSummary({ search, sources }: SearchSummaryProps) {
  const { id, sourceId, where, filters } = search;
  const source = sources.find((one) => one.id === sourceId);
  return (
    <div className={styles.summary}>
      <dl>
        <dt>Source</dt>
        <dd>{source?.name ?? sourceId}</dd>
        <dt>Query</dt>
        <dd>{where === '' ? 'All rows' : <code>{where}</code>}</dd>
        {filters.length > 0 && (
          <>
            <dt>Filters</dt>
            <dd>{filters.map((filter) => filterLabel(savedFilter(filter))).join(', ')}</dd>
          </>
        )}
      </dl>
      <Link to="/search" search={{ savedSearchId: id }}>
        Open in search
      </Link>
    </div>
  );
}
