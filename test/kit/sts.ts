import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StsPeer {
  endpoint: string;
  /** Roles that may be assumed, each with how long its credentials are good. */
  roles: Map<string, { seconds: number }>;
  /** Keys that were handed out: access key id → session token. */
  issued: Map<string, string>;
  close(): Promise<void>;
}

/**
 * The security token service: AssumeRole by its query protocol, with the caller's signature
 * checked.
 */
export async function startSts(caller: {
  accessKeyId: string;
  secretKey: string;
}): Promise<StsPeer> {
  const roles: StsPeer['roles'] = new Map();
  const issued: StsPeer['issued'] = new Map();
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      const fail = (status: number, code: string): void =>
        void response
          .writeHead(status, { 'content-type': 'text/xml' })
          .end(
            `<ErrorResponse ${namespace}><Error><Type>Sender</Type><Code>${code}</Code>` +
              `<Message>as the service says: ${code}</Message></Error>` +
              `<RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
          );
      const signed = signatureOf(request, body, caller.secretKey);
      if (signed.accessKeyId !== caller.accessKeyId) {
        return fail(403, 'InvalidClientTokenId');
      }
      if (signed.given !== signed.wanted) {
        return fail(403, 'SignatureDoesNotMatch');
      }
      const parameters = new URLSearchParams(body);
      const role = roles.get(parameters.get('RoleArn') ?? '');
      if (parameters.get('Action') !== 'AssumeRole' || !role) {
        return fail(403, 'AccessDenied');
      }
      const accessKeyId = `ASIA${randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase()}`;
      const token = `session/${randomUUID()}+=`;
      issued.set(accessKeyId, token);
      const expiration = new Date(Date.now() + role.seconds * 1000).toISOString();
      response
        .writeHead(200, { 'content-type': 'text/xml' })
        .end(
          `<AssumeRoleResponse ${namespace}><AssumeRoleResult><AssumedRoleUser>` +
            `<Arn>${parameters.get('RoleArn')}</Arn>` +
            `<AssumedRoleId>AROA:${parameters.get('RoleSessionName')}</AssumedRoleId>` +
            `</AssumedRoleUser><Credentials><AccessKeyId>${accessKeyId}</AccessKeyId>` +
            `<SecretAccessKey>assumed-secret-${accessKeyId}</SecretAccessKey>` +
            `<SessionToken>${token}</SessionToken><Expiration>${expiration}</Expiration>` +
            '</Credentials></AssumeRoleResult><ResponseMetadata>' +
            `<RequestId>${randomUUID()}</RequestId></ResponseMetadata></AssumeRoleResponse>`,
        );
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    roles,
    issued,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

/** The signature in the header, and the one that the caller's secret makes of the request. */
function signatureOf(
  { method, url, headers }: IncomingMessage,
  body: string,
  secret: string,
): { accessKeyId: string; given: string; wanted: string } {
  const match =
    /Credential=([^/]+)\/(\d+)\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)/.exec(
      headers.authorization ?? '',
    );
  const [, accessKeyId = '', day = '', region = '', service = '', names = '', given = ''] =
    match ?? [];
  const canonicalRequest = [
    method,
    url,
    '',
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    sha256(body),
  ].join('\n');
  const text = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    `${day}/${region}/${service}/aws4_request`,
    sha256(canonicalRequest),
  ].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (from, part) => createHmac('sha256', from).update(part).digest(),
    `AWS4${secret}`,
  );
  return { accessKeyId, given, wanted: createHmac('sha256', key).update(text).digest('hex') };
}

const namespace = 'xmlns="https://sts.amazonaws.com/doc/2011-06-15/"';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
