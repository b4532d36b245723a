import { ApiError } from '../api-error.ts';
import { api, type Schemas } from '../client.ts';

export type ExportRequest = Schemas['ExportRequest'];

/** A file that is on its way. */
export interface Download {
  pieces: ReadableStream<Uint8Array>;
  /** Maximum number of rows in it. */
  rowLimit: number;
}

/** Begins an export. Reading fails if the file breaks off. @throws ApiError */
export async function openExport(body: ExportRequest, signal: AbortSignal): Promise<Download> {
  const answered = await api.POST('/search/export', { body, signal, parseAs: 'stream' });
  const { data, error, response } = answered;
  if (!response.ok || !data) {
    throw new ApiError(response.status, error);
  }
  const rowLimit = Number(response.headers.get('X-Sightline-Row-Limit'));
  return { pieces: data as unknown as ReadableStream<Uint8Array>, rowLimit };
}
