import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  /** Head and body as they came. */
  text: string;
  body: string;
}

/** Sends these very bytes and reads until the other side closes: for requests that no client would send. */
export function rawHttp(port: number, request: string | Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.setTimeout(20_000, () => socket.destroy(new Error('no answer in time')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error) => (chunks.length > 0 ? finish() : reject(error)));
    socket.on('end', finish);
    socket.write(request);

    function finish(): void {
      socket.destroy();
      const text = Buffer.concat(chunks).toString('utf8').replace(/^HTTP\/1\.1 1\d\d [^\r]*\r\n\r\n/, '');
      const bodyAt = text.indexOf('\r\n\r\n');
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text, body: bodyAt < 0 ? '' : text.slice(bodyAt + 4) });
    }
  });
}

/** A GET with these header lines (bytes of UTF-8), answered and closed. */
export function rawGet(port: number, path: string, headerLines: readonly string[]): Promise<RawAnswer> {
  return rawHttp(port, Buffer.from([`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headerLines, '', ''].join('\r\n'), 'utf8'));
}
