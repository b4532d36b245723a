import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface QueuePeer {
  url: string;
  send(body: unknown): void;
  /** Number of ReceiveMessage calls. */
  receiveCount(): number;
  /** Number of messages that are not deleted. */
  remaining(): number;
  stop(): void;
}

/**
 * A small server of our own that speaks as much of SQS as a reader needs (ReceiveMessage,
 * DeleteMessageBatch): no emulator of it comes from npm. It checks no signature, keeps a received
 * message hidden for two seconds, and answers at once where SQS would wait.
 */
export async function startQueue(): Promise<QueuePeer> {
  const messages = new Map<string, { body: string; hiddenUntilMs: number }>();
  let [receiveCount, sent] = [0, 0];
  const answers: Record<
    string,
    (input: { Entries?: { Id: string; ReceiptHandle: string }[] }) => object
  > = {
    ReceiveMessage: () => {
      receiveCount++;
      const visible = [...messages]
        .filter(([, { hiddenUntilMs }]) => hiddenUntilMs <= Date.now())
        .slice(0, 10);
      for (const [, message] of visible) {
        message.hiddenUntilMs = Date.now() + 2000;
      }
      return {
        Messages: visible.map(([id, { body }]) => ({
          MessageId: id,
          ReceiptHandle: id,
          Body: body,
          MD5OfBody: createHash('md5').update(body).digest('hex'),
        })),
      };
    },
    DeleteMessageBatch: ({ Entries = [] }) => {
      for (const { ReceiptHandle } of Entries) {
        messages.delete(ReceiptHandle);
      }
      return { Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] };
    },
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const operation = String(request.headers['x-amz-target']).split('.').at(-1)!;
      const answer = answers[operation]?.(
        JSON.parse(Buffer.concat(chunks).toString() || '{}') as object,
      );
      // A moment, so that whoever asks again and again does not spin.
      setTimeout(() => {
        response
          .writeHead(answer ? 200 : 400, { 'content-type': 'application/x-amz-json-1.0' })
          .end(JSON.stringify(answer ?? { __type: 'UnsupportedOperation' }));
      }, 50);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    send: (body) => {
      messages.set(String(++sent), {
        body: typeof body === 'string' ? body : JSON.stringify(body),
        hiddenUntilMs: 0,
      });
    },
    receiveCount: () => receiveCount,
    remaining: () => messages.size,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
