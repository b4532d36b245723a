import { createHash, createHmac } from 'node:crypto';

/** Credentials of an AWS identity. */
export interface CloudCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

export interface QueryToSign {
  /** Host name without a port. */
  host: string;
  path?: string;
  /** Parameters of the request itself. */
  parameters: Readonly<Record<string, string>>;
  region: string;
  service: string;
  expiresSeconds: number;
  nowMs: number;
  /**
   * SHA-256 of the body in hex, or the service's constant for an unsigned body. Default: the hash of
   * an empty body.
   */
  payloadHash?: string;
}

const algorithm = 'AWS4-HMAC-SHA256';

/**
 * The query string of a GET request with its signature (AWS Signature Version 4). Whoever has it may
 * send that request until it expires.
 */
export function presignedQuery(
  { accessKeyId, secretAccessKey, sessionToken }: CloudCredentials,
  request: QueryToSign,
): string {
  const {
    host,
    path = '/',
    parameters,
    region,
    service,
    expiresSeconds,
    nowMs,
    payloadHash = sha256(''),
  } = request;
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const query = canonical({
    ...parameters,
    'X-Amz-Algorithm': algorithm,
    'X-Amz-Credential': `${accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(expiresSeconds),
    'X-Amz-SignedHeaders': 'host',
    ...(sessionToken === undefined ? {} : { 'X-Amz-Security-Token': sessionToken }),
  });
  const canonicalRequest = ['GET', path, query, `host:${host}`, '', 'host', payloadHash].join('\n');
  const text = [algorithm, time, scope, sha256(canonicalRequest)].join('\n');
  const key = [time.slice(0, 8), region, service, 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${secretAccessKey}`,
  );
  return `${query}&X-Amz-Signature=${hmac(key, text).toString('hex')}`;
}

function canonical(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => [escaped(name), escaped(value)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Percent-encodes everything except letters, digits and `-._~`. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();
