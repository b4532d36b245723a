import { extname } from 'node:path';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Fault } from '../../contract/errors.ts';
import { encodeRequest } from '../../core/otlp/encode-request.ts';
import type { Encoded, EncodedRows } from '../../core/otlp/encoded.ts';
import type { ReceivedRequest } from '../../core/otlp/received-request.ts';
import type { Quota } from '../../core/otlp/wire/quota.ts';
import { decompress } from './decompress.ts';
import type { WorkerAnswer } from './encode-worker.ts';

/** Larger requests go to a worker: the worst of this size takes a few milliseconds. */
const inlineBytes = 32 * 1024;
const inlineInflatedBytes = 64 * 1024;
const inlineQuota: Quota = {
  maxFields: 20_000,
  maxJsonValues: 10_000,
  maxRowBytes: 1024 * 1024,
};

const maxWorkers = Math.max(1, Math.min(4, availableParallelism() - 1));
const workerHeapMib = 768;
/** A request in a worker that takes longer is refused. The worst within the limits takes seconds. */
const workTimeoutMs = 30_000;
/** A request that waits longer for a worker is refused as retryable. */
const maxWaitMs = 3000;

/** Beside this file in a bundle. Sources take the one that the build made. */
const workerFile = import.meta.url.endsWith('.ts')
  ? new URL('../../../dist/encode-worker.js', import.meta.url)
  : new URL(`./encode-worker${extname(import.meta.url)}`, import.meta.url);

interface Job {
  request: ReceivedRequest;
  signal: AbortSignal | undefined;
  addedMs: number;
  resolve: (encoded: Encoded) => void;
  reject: (error: unknown) => void;
}

/**
 * Turns requests into rows without holding the event loop: small requests here, large ones in
 * workers. Workers start with the first large request.
 */
export class RequestEncoder {
  private readonly jobs: Job[] = [];
  private readonly idle: EncodeWorker[] = [];
  private readonly workers = new Set<EncodeWorker>();
  private stopped = false;

  /** @throws Fault. */
  async encode(request: ReceivedRequest, signal?: AbortSignal): Promise<Encoded> {
    return (await encodeInline(request)) ?? this.encodeInWorker(request, signal);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all([...this.workers].map((worker) => worker.stop()));
  }

  private encodeInWorker(request: ReceivedRequest, signal?: AbortSignal): Promise<Encoded> {
    return new Promise((resolve, reject) => {
      const addedMs = performance.now();
      const [first] = this.jobs;
      if (first && addedMs - first.addedMs > maxWaitMs) {
        throw overloaded();
      }
      this.jobs.push({ request, signal, addedMs, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    while (this.jobs.length > 0 && !this.stopped) {
      const worker = this.idle.pop() ?? this.newWorker();
      if (!worker) {
        return;
      }
      void this.run(worker, this.jobs.shift()!);
    }
  }

  private newWorker(): EncodeWorker | undefined {
    if (this.workers.size >= maxWorkers) {
      return undefined;
    }
    const worker = new EncodeWorker();
    this.workers.add(worker);
    return worker;
  }

  private async run(
    worker: EncodeWorker,
    { request, signal, resolve, reject }: Job,
  ): Promise<void> {
    try {
      signal?.throwIfAborted();
      resolve(await worker.encode(request));
    } catch (error) {
      reject(error);
    }
    if (worker.hasEnded) {
      this.workers.delete(worker);
    } else {
      this.idle.push(worker);
    }
    this.next();
  }
}

/** Undefined: the request is too large to be encoded here. */
async function encodeInline(request: ReceivedRequest): Promise<Encoded | undefined> {
  const { bytes, compression, maxInflatedBytes } = request;
  if (bytes.length > inlineBytes || compression === 'zstd' || compression === 'snappy') {
    return undefined;
  }
  try {
    const maxBytes = Math.min(maxInflatedBytes, inlineInflatedBytes);
    return encodeRequest(request, await decompress(compression, bytes, maxBytes), inlineQuota);
  } catch (error) {
    if (error instanceof Fault && error.code === 'payload_too_large') {
      return undefined;
    }
    throw error;
  }
}

/** One thread; it has one request at a time. */
class EncodeWorker {
  hasEnded = false;
  private readonly worker = new Worker(workerFile, {
    resourceLimits: { maxOldGenerationSizeMb: workerHeapMib },
  });

  constructor() {
    this.worker.unref();
    this.worker.once('exit', () => (this.hasEnded = true));
  }

  async encode(request: ReceivedRequest): Promise<Encoded> {
    const answer = await this.answerTo(request);
    if ('encoded' in answer) {
      return { ...answer.encoded, tables: answer.encoded.tables.map(withBuffer) };
    }
    throw 'fault' in answer ? new Fault(answer.fault.code, answer.fault.message) : answer.error;
  }

  async stop(): Promise<void> {
    this.hasEnded = true;
    await this.worker.terminate();
  }

  private answerTo(request: ReceivedRequest): Promise<WorkerAnswer> {
    const { worker } = this;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => fail(tooExpensive()), workTimeoutMs);
      const settle = (): void => {
        clearTimeout(timer);
        worker.off('message', done).off('error', failed).off('exit', ended).unref();
      };
      const done = (answer: WorkerAnswer): void => {
        settle();
        resolve(answer);
      };
      const fail = (error: unknown): void => {
        settle();
        void this.stop();
        reject(error);
      };
      const failed = (error: Error & { code?: string }): void =>
        fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooExpensive() : error);
      const ended = (): void => fail(overloaded());
      worker.on('message', done).on('error', failed).on('exit', ended).ref();
      const bytes = ownBytes(request.bytes);
      worker.postMessage({ ...request, bytes }, [bytes.buffer as ArrayBuffer]);
    });
  }
}

/** Bytes that can be handed over: chunks of a socket can share their memory. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength === bytes.length ? bytes : Uint8Array.from(bytes);
}

/** A message between threads loses that its bytes were a Buffer. */
function withBuffer(rows: EncodedRows): EncodedRows {
  const { data } = rows;
  return { ...rows, data: Buffer.from(data.buffer, data.byteOffset, data.length) };
}

function tooExpensive(): Fault {
  return new Fault(
    'payload_too_large',
    'the request takes too much memory or time to decode; send smaller batches',
  );
}

function overloaded(): Fault {
  return new Fault('unavailable', 'too many large requests wait. Send the request again later.', {
    retryAfterSeconds: 2,
  });
}
