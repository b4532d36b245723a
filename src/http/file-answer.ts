import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { OutgoingFile } from '../core/verb/outcome.ts';
import type { Log } from '../ports/ambient.ts';
import { standingHeaders } from './answer.ts';

export const rowLimitHeader = 'X-Sightline-Row-Limit';
export const truncatedTrailer = 'X-Sightline-Truncated';

/**
 * Streams a file. Nothing is sent before its first piece, so that a failure until then is answered
 * like any other. After a later failure the connection breaks, and no caller takes a part for the
 * whole. @throws Fault before the first piece
 */
export async function writeFile(
  reply: FastifyReply,
  file: OutgoingFile,
  { others, log }: { others: boolean; log: Log },
): Promise<void> {
  const { raw, request } = reply;
  const isChunked = request.raw.httpVersion !== '1.0';
  const begin = (): void => {
    raw.writeHead(200, {
      ...(others ? (reply.getHeaders() as OutgoingHttpHeaders) : {}),
      ...standingHeaders,
      ...request.allowance?.headers,
      'x-request-id': request.id,
      'content-type': file.mediaType,
      'content-disposition': `attachment; filename="${file.name}"`,
      [rowLimitHeader]: file.rowLimit,
      ...(isChunked && { trailer: truncatedTrailer }),
    });
  };
  try {
    const { truncated } = await file.write(async (text) => {
      if (!raw.headersSent) {
        begin();
      }
      await written(raw, text);
    });
    if (isChunked) {
      raw.addTrailers({ [truncatedTrailer]: String(truncated) });
    }
    raw.end();
  } catch (error) {
    if (!raw.headersSent) {
      throw error;
    }
    if (!raw.destroyed) {
      log.warn({ requestId: request.id, file: file.name, err: error }, 'export broke off');
    }
    // Without chunks, only a reset tells the caller that the file is not whole.
    raw.socket?.resetAndDestroy();
  }
}

/** Waits while the caller does not keep up. */
async function written(raw: ServerResponse, text: string): Promise<void> {
  if (raw.destroyed) {
    throw new Error('the caller closed the connection');
  }
  if (text === '' || raw.write(text)) {
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const done = (): void => {
      raw.off('drain', done);
      raw.off('close', gone);
      resolve();
    };
    const gone = (): void => {
      raw.off('drain', done);
      reject(new Error('the caller closed the connection'));
    };
    raw.once('drain', done);
    raw.once('close', gone);
  });
}
