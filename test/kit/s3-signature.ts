import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * The region a request was signed for (AWS Signature Version 4), when the signature is the secret's
 * and covers this host, path and query; undefined when it is not, or there is none.
 */
export function signedRegion(
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  secretKey: string,
): string | undefined {
  const [, day, region, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (
    day === undefined ||
    region === undefined ||
    names === undefined ||
    !names.split(';').includes('host')
  ) {
    return undefined;
  }
  const [path = '', query = ''] = url.split('?', 2);
  const parameters = query
    .split('&')
    .filter((one) => one !== '')
    .map((one) => (one.includes('=') ? one : `${one}=`))
    .sort();
  const values = names
    .split(';')
    .map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}\n`,
    )
    .join('');
  const canonical = [
    method,
    path,
    parameters.join('&'),
    values,
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const toSign = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    `${day}/${region}/s3/aws4_request`,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${secretKey}`,
  );
  return createHmac('sha256', key).update(toSign).digest('hex') === signature ? region : undefined;
}
