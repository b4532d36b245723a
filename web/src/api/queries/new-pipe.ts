import { queryOptions } from '@tanstack/react-query';
import { askResult, managed, type ManagedSchemas } from '../managed.ts';
import { queries } from '../query-client.ts';
import { service, type Pipe } from './pipes.ts';

export type SourceDraft = ManagedSchemas['PipeSourceDraft'];
export type CreateBody = ManagedSchemas['PipeCreateBody'];
export type PipeCheck = ManagedSchemas['PipeCheck'];
export type PipeDiscovery = ManagedSchemas['PipeDiscovery'];
export type PipeProposal = ManagedSchemas['PipeProposal'];
export type PipeSourceItem = ManagedSchemas['PipeSourceItem'];
export type PipeSampleRecord = ManagedSchemas['PipeSampleRecord'];

const pipes = '/organizations/{organizationId}/services/{serviceId}/pipes';

/** Tries a source. One that does not work is an answer, not an error. */
export async function checkSource(source: SourceDraft): Promise<PipeCheck> {
  const params = { path: await service() };
  return askResult(managed.POST(`${pipes}/check`, { params, body: { source } }));
}

/** What a source is asked, and the name of the answer: never the source itself, which has secrets. */
interface Asked {
  source: SourceDraft;
  /** Another number for another source. */
  number: number;
}

/** The items of a source, or with `item` the records of that one. */
export const discoveryQuery = ({ source, number }: Asked, item?: string) =>
  queryOptions({
    queryKey: ['new-pipe', number, 'items', item ?? ''],
    queryFn: async ({ signal }): Promise<PipeDiscovery> => {
      const params = { path: await service() };
      const body = { source, ...(item !== undefined && { item }) };
      return askResult(managed.POST(`${pipes}/discover`, { params, body, signal }));
    },
    staleTime: Infinity,
    retry: false,
  });

/** The check of a source with what was chosen from it. `choice` names the answer. */
export const sourceCheckQuery = ({ source, number }: Asked, choice: string) =>
  queryOptions({
    queryKey: ['new-pipe', number, 'check', choice],
    queryFn: () => checkSource(source),
    staleTime: Infinity,
    retry: false,
  });

export async function createPipe(body: CreateBody): Promise<Pipe> {
  const params = { path: await service() };
  const pipe = await askResult(managed.POST(pipes, { params, body }));
  await queries.invalidateQueries({ queryKey: ['pipes'] });
  return pipe;
}
