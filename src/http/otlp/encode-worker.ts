import { parentPort } from 'node:worker_threads';
import { Fault, type FaultCode } from '../../contract/errors.ts';
import type { Encoded } from '../../core/otlp/encoded.ts';
import { encodeRequest } from '../../core/otlp/encode-request.ts';
import type { ReceivedRequest } from '../../core/otlp/received-request.ts';
import { decompress } from './decompress.ts';

/** The answer of a worker to one request. */
export type WorkerAnswer =
  | { encoded: Encoded }
  | { fault: { code: FaultCode; message: string } }
  | { error: unknown };

/** A thread that encodes large requests, one at a time. */
parentPort?.on('message', (request: ReceivedRequest) => {
  void encode(request).then(answer);
});

async function encode(request: ReceivedRequest): Promise<WorkerAnswer> {
  try {
    const { compression, bytes, maxInflatedBytes } = request;
    return {
      encoded: encodeRequest(request, await decompress(compression, bytes, maxInflatedBytes)),
    };
  } catch (error) {
    return error instanceof Fault
      ? { fault: { code: error.code, message: error.message } }
      : { error };
  }
}

function answer(message: WorkerAnswer): void {
  const tables = 'encoded' in message ? message.encoded.tables : [];
  parentPort!.postMessage(
    message,
    tables.map(({ data }) => data.buffer as ArrayBuffer),
  );
}
