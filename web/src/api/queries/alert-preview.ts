import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../client.ts';

export type AlertPreviewInput = Schemas['AlertPreviewInput'];
export type AlertPreview = Schemas['AlertPreview'];

/** What the alert would have done. The last answer stays until the next one is there. */
export const previewQuery = (body: AlertPreviewInput | undefined) =>
  queryOptions({
    queryKey: ['alert-preview', body],
    queryFn: ({ signal }) =>
      ask(api.POST('/alerts/preview', { body: body as AlertPreviewInput, signal })),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    staleTime: 15_000,
    gcTime: 60_000,
    retry: false,
  });
