import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { facetsQuery, type Facet, type FacetResult } from '../../../api/queries/facets.ts';
import { sourceFieldsQuery } from '../../../api/queries/sources.ts';
import { usePref } from '../../../view/use-pref.ts';
import type { ReadyModel } from '../model.ts';

/** Fields that a request may count at a time. */
const fieldsMax = 20;

export interface ShownFacets {
  /** The counts that the server chose; absent until they arrive. */
  data: FacetResult | undefined;
  error: Error | null;
  isPending: boolean;
  isFetching: boolean;
  retry(): void;
  pinned: readonly string[];
  pin(field: string): void;
  /** Fields with counts, the pinned ones first. */
  facets: readonly Facet[];
  /** Fields that a click counts: other columns, and keys of attributes. */
  columns: readonly { field: string }[];
  keys: readonly { field: string; rows: number }[];
  opened: readonly string[];
  open(field: string): void;
  /** Counts of the opened fields. */
  openedFacets: readonly Facet[];
}

/** Counts for the condition and range of the table, of the fields and values that match a word. */
export function useFacets(model: ReadyModel, search: string): ShownFacets {
  const { condition, runId, source } = model;
  const [pinnedBySource, setPinned] = usePref('pinnedFacets');
  const [opened, setOpened] = useState<readonly string[]>([]);
  const pinned = pinnedBySource[source.id] ?? [];
  const wanted = [...new Set([...pinned, ...opened])].slice(0, fieldsMax);

  const all = useQuery(facetsQuery(condition, undefined, '', runId));
  const matching = useQuery({
    ...facetsQuery(condition, undefined, search, runId),
    enabled: search !== '',
  });
  const found = search === '' ? all : matching;
  // Of a field that is found by its name, all values; of the others those that match.
  const isNamed = (field: string): boolean => field.toLowerCase().includes(search.toLowerCase());
  const named = useChosen(model, wanted.filter(isNamed), '');
  const unnamed = wanted.filter((field) => !isNamed(field));
  const others = useChosen(model, unnamed, search);
  const counted = all.data?.facets ?? [];
  const columns = useOtherColumns(model, counted, all.isFetched);

  const chosen = [...named.facets, ...others.facets];
  const first = pinned.flatMap((name) => chosen.find(({ field }) => field === name) ?? []);
  const rest = (found.data?.facets ?? [])
    .filter(({ field }) => !pinned.includes(field))
    .map((facet) => (isNamed(facet.field) && counted.find(isOf(facet.field))) || facet)
    .filter(isUseful);
  return {
    data: found.data,
    error: found.error,
    isPending: found.isPending,
    isFetching: found.isFetching || named.isFetching || others.isFetching,
    retry: () => void found.refetch(),
    pinned,
    pin: (field) => setPinned({ ...pinnedBySource, [source.id]: toggled(pinned, field) }),
    facets: [...first, ...rest],
    columns: columns.filter(({ field }) => isNamed(field) && !pinned.includes(field)),
    keys: (found.data?.keys ?? []).filter(({ field }) => !pinned.includes(field)),
    opened,
    open: (field) => setOpened(toggled(opened, field)),
    openedFacets: chosen,
  };
}

/** Counts of fields that the person chose. */
function useChosen(
  { condition, runId }: ReadyModel,
  fields: readonly string[],
  search: string,
): { facets: readonly Facet[]; isFetching: boolean } {
  const isOn = fields.length > 0;
  const { data, isFetching } = useQuery({
    ...facetsQuery(condition, fields, search, runId),
    enabled: isOn,
  });
  const facets = isOn ? (data?.facets ?? []) : [];
  return { facets: facets.filter(({ field }) => fields.includes(field)), isFetching };
}

/** Texts and numbers; lists and maps have no values to count. */
const countable = /^(LowCardinality\(|Nullable\()*(String|U?Int|Float|Decimal|Bool|Enum)/;

/** Columns that have too many values to be counted unasked. */
function useOtherColumns(
  { source }: ReadyModel,
  counted: readonly Facet[],
  isOn: boolean,
): { field: string }[] {
  const { data = [] } = useQuery({ ...sourceFieldsQuery(source.id), enabled: isOn });
  return data
    .filter(
      ({ name, kind, type }) =>
        kind === 'column' && countable.test(type) && !counted.some(isOf(name)),
    )
    .map(({ name }) => ({ field: name }));
}

/** One value for every row tells nothing. */
const isUseful = ({ values }: Facet): boolean => values.some(({ value }) => value !== '');

const isOf =
  (field: string) =>
  (facet: Facet): boolean =>
    facet.field === field;

const toggled = (fields: readonly string[], field: string): string[] =>
  fields.includes(field) ? fields.filter((one) => one !== field) : [...fields, field];
