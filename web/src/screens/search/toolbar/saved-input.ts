import type { SavedSearch } from '../../../api/queries/saved-searches.ts';
import { apiFilter } from '../../../api/filters.ts';
import type { SearchModel } from '../model.ts';

/** What a saved search keeps of the screen. */
export type Question = Pick<
  SavedSearch,
  'sourceId' | 'where' | 'whereLanguage' | 'select' | 'orderBy' | 'filters'
>;

/** The question on screen, as it is saved. */
export function inputOf(
  { params, source, filters, columns }: SearchModel,
  name: string,
  tags: string[],
): Question & { name: string; tags: string[] } {
  return {
    name,
    sourceId: source?.id ?? '',
    where: params.q ?? '',
    whereLanguage: params.lang ?? 'lucene',
    select: params.cols ? columns.join(', ') : '',
    orderBy: params.order ?? '',
    filters: filters.map(apiFilter),
    tags,
  };
}
