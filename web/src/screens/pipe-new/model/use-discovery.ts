import { useQuery } from '@tanstack/react-query';
import { discoveryQuery, type PipeDiscovery } from '../../../api/queries/new-pipe.ts';
import type { Connected } from './use-wizard.ts';

export interface Discovery {
  data: PipeDiscovery | undefined;
  /** Why there is none: of the request or of the source. */
  error: Error | undefined;
  isFetching: boolean;
  retry(): void;
}

/** What a source offers, or records of an item of it. An empty item asks nothing. */
export function useDiscovery(connected: Connected, item?: string): Discovery {
  const { data, error, isFetching, refetch } = useQuery({
    ...discoveryQuery(connected, item),
    enabled: item !== '',
  });
  const [issue] = data?.issues ?? [];
  return {
    data: issue ? undefined : data,
    error: error ?? (issue && new Error(issue.message)),
    isFetching,
    retry: () => void refetch(),
  };
}

/** The item whose records show, of topics that are separated by commas. */
export const firstItem = (item: string, isList: boolean): string =>
  isList ? (item.split(',', 1)[0] ?? '').trim() : item;
