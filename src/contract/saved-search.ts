import { z } from 'zod';
import {
  IdParams,
  NoBody,
  NoParams,
  NoQuery,
  ObjectId,
  PageQuery,
  Tags,
  Timestamp,
  WhereLanguage,
} from './common.ts';
import { operation } from './operation.ts';
import { expressionMax, Filters, Where } from './query/filter.ts';

const fields = {
  name: z.string().min(1).max(1024).meta({ description: 'Name (1–1024 characters).' }),
  sourceId: ObjectId,
  select: z.string().max(expressionMax).meta({
    description: 'Columns, comma-separated. If empty, the columns that the source defines.',
  }),
  where: Where,
  whereLanguage: WhereLanguage,
  orderBy: z.string().max(2048).meta({
    description: 'Columns or expressions, each with optional ASC or DESC. If empty, newest first.',
  }),
  tags: Tags.meta({ description: 'Tags (at most 50, each 1–32 characters).' }),
  filters: Filters,
};

export const SavedSearchInput = z
  .object({
    ...fields,
    select: fields.select.default(''),
    where: fields.where.default(''),
    whereLanguage: fields.whereLanguage.default('lucene'),
    orderBy: fields.orderBy.default(''),
    tags: fields.tags.default([]),
    filters: fields.filters.default([]),
  })
  .meta({ id: 'SavedSearchInput' });
export type SavedSearchInput = z.output<typeof SavedSearchInput>;

export const SavedSearchChange = z
  .object(fields)
  .partial()
  .meta({ id: 'SavedSearchChange', description: 'Omitted fields keep their value.' });
export type SavedSearchChange = z.output<typeof SavedSearchChange>;

export const SavedSearch = z
  .object({ id: ObjectId, ...fields, createdAt: Timestamp, updatedAt: Timestamp })
  .meta({
    id: 'SavedSearch',
    example: {
      id: '65f0c1d2e3a4b5c6d7e8f906',
      name: 'Failed payments',
      sourceId: '65f0c1d2e3a4b5c6d7e8f901',
      select: '',
      where: 'ServiceName:payment SeverityText:error',
      whereLanguage: 'lucene',
      orderBy: 'Timestamp DESC',
      tags: ['shop'],
      filters: [],
      createdAt: '2026-03-14T09:26:53.589Z',
      updatedAt: '2026-03-14T09:26:53.589Z',
    },
  });
export type SavedSearch = z.output<typeof SavedSearch>;

const tag = 'Saved searches';

export const listSavedSearches = operation({
  name: 'listSavedSearches',
  summary: 'List saved searches',
  description: 'Returns saved searches in creation order.',
  tag,
  scope: 'stack:read',
  object: { kind: 'savedSearch' },
  params: NoParams,
  query: PageQuery,
  body: NoBody,
  result: z.array(SavedSearch),
});
export const createSavedSearch = operation({
  name: 'createSavedSearch',
  summary: 'Create a saved search',
  description: 'Saves a condition on a source, for searches and alerts.',
  tag,
  scope: 'stack:write',
  object: { kind: 'savedSearch' },
  params: NoParams,
  query: NoQuery,
  body: SavedSearchInput,
  result: SavedSearch,
  example: {
    name: 'Failed payments',
    sourceId: '65f0c1d2e3a4b5c6d7e8f901',
    where: 'ServiceName:payment SeverityText:error',
    orderBy: 'Timestamp DESC',
    tags: ['shop'],
  },
});
export const getSavedSearch = operation({
  name: 'getSavedSearch',
  summary: 'Get a saved search',
  description: 'Returns the saved search with its condition.',
  tag,
  scope: 'stack:read',
  object: { kind: 'savedSearch', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: SavedSearch,
  faults: ['not_found'],
});
export const updateSavedSearch = operation({
  name: 'updateSavedSearch',
  readOnly: ['id', 'createdAt', 'updatedAt'],
  summary: 'Update a saved search',
  description: 'Omitted fields keep their value.',
  tag,
  scope: 'stack:write',
  object: { kind: 'savedSearch', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: SavedSearchChange,
  result: SavedSearch,
  faults: ['not_found'],
  example: { where: 'ServiceName:payment SeverityText:fatal' },
});
export const deleteSavedSearch = operation({
  name: 'deleteSavedSearch',
  summary: 'Delete a saved search',
  description: 'Also deletes its alerts.',
  tag,
  scope: 'stack:write',
  object: { kind: 'savedSearch', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: z.undefined(),
  faults: ['not_found'],
});
