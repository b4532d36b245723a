import { rawHttp } from '../kit/raw-http.ts';

export interface RawAnswer {
  status: number;
  /** Head and body as they came. */
  text: string;
  body: string;
}

/** A GET with these header lines (bytes of UTF-8), answered and closed. */
export async function rawGet(
  port: number,
  path: string,
  headerLines: readonly string[],
): Promise<RawAnswer> {
  const answer = await rawHttp(
    port,
    Buffer.from(
      [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headerLines, '', ''].join(
        '\r\n',
      ),
      'utf8',
    ),
  );
  const text = answer.replace(/^HTTP\/1\.1 1\d\d [^\r]*\r\n\r\n/, '');
  const bodyAt = text.indexOf('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]),
    text,
    body: bodyAt < 0 ? '' : text.slice(bodyAt + 4),
  };
}
