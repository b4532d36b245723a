import type { ServiceMapRequest } from '../../../api/queries/services.ts';
import { formatShare } from '../model/format.ts';
import type { ServicesModel } from '../use-services.ts';

/** The map of the source in the range. The page of a service asks for the same one. */
export const mapRequest = ({ source, span }: ServicesModel): ServiceMapRequest => ({
  sourceId: source.id,
  where: '',
  whereLanguage: 'lucene',
  filters: [],
  startTime: Math.floor(span.startMs),
  endTime: Math.ceil(span.endMs),
});

/** What a map is made of, if not of all traces. */
export const sampleText = (share: number): string =>
  `Made from ${formatShare(share)} of the traces. Numbers of calls are estimates.`;
