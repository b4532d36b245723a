import { connect, type Socket } from 'node:net';

/**
 * Sends bytes as they are (a list: each when the other side has said something about the one
 * before) and reads until the other side closes (or `until` matches). For what no HTTP client would
 * send.
 */
export function rawHttp(
  port: number,
  bytes: string | Buffer | readonly string[],
  {
    until,
    halfClose = false,
    timeoutMs = 10_000,
  }: { until?: RegExp; halfClose?: boolean; timeoutMs?: number } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setTimeout(timeoutMs, () =>
      socket.destroy(new Error(`no answer within ${timeoutMs} ms; so far: ${text.slice(0, 200)}`)),
    );
    const [first, ...rest] = Array.isArray(bytes)
      ? (bytes as readonly string[])
      : [bytes as string | Buffer];
    socket.on('connect', () => {
      if (halfClose) {
        socket.end(first);
      } else {
        socket.write(first!);
      }
    });
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const next = rest.shift();
      if (next !== undefined) {
        socket.write(next);
        return;
      }
      if (until?.test(text)) {
        socket.destroy();
      }
    });
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
    socket.on('close', () => resolve(text));
  });
}
