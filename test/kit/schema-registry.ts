import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

interface Registered {
  id: number;
  subject: string;
  version: number;
  schema: string;
  schemaType: 'AVRO' | 'PROTOBUF' | 'JSON';
  references: { name: string; subject: string; version: number }[];
}

interface User {
  username: string;
  password: string;
}

export interface SchemaRegistryPeer {
  /** With a certificate: over TLS. */
  readonly url: string;
  /** Over the protocol, as a producer does. */
  register(
    subject: string,
    schema: string,
    options?: { schemaType?: Registered['schemaType']; references?: Registered['references'] },
  ): Promise<number>;
  readonly requests: string[];
  /** From now on this user and nobody else. */
  acceptOnly(user: User): void;
  close(): Promise<void>;
}

/**
 * A registry that speaks the registry protocol: register, read by id, read by subject and version.
 * With a user it asks for a password.
 */
export async function startSchemaRegistry(
  user?: User,
  tls?: { certificate: string; privateKey: string },
): Promise<SchemaRegistryPeer> {
  const registered: Registered[] = [];
  const requests: string[] = [];
  const basic = ({ username, password }: User): string =>
    `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  let wanted = user && basic(user);
  const answer = (response: ServerResponse, status: number, body: object): void => {
    response
      .writeHead(status, { 'content-type': 'application/vnd.schemaregistry.v1+json' })
      .end(JSON.stringify(body));
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/';
    requests.push(`${request.method} ${path}`);
    if (wanted !== undefined && request.headers.authorization !== wanted) {
      return answer(response, 401, { error_code: 401, message: 'Unauthorized' });
    }
    const byId = /^\/schemas\/ids\/(\d+)$/.exec(path);
    const subject = /^\/subjects\/([^/]+)\/versions(?:\/(\d+))?$/.exec(path);
    if (byId) {
      const match = registered.find(({ id }) => id === Number(byId[1]));
      return match
        ? answer(response, 200, {
            schema: match.schema,
            ...(match.schemaType === 'AVRO' ? {} : { schemaType: match.schemaType }),
            ...(match.references.length > 0 ? { references: match.references } : {}),
          })
        : answer(response, 404, { error_code: 40403, message: 'Schema not found' });
    }
    if (!subject) {
      return answer(response, 404, { error_code: 404, message: 'HTTP 404 Not Found' });
    }
    const name = decodeURIComponent(subject[1]!);
    if (request.method === 'POST') {
      const {
        schema,
        schemaType = 'AVRO',
        references = [],
      } = JSON.parse(await textOf(request)) as Pick<
        Registered,
        'schema' | 'schemaType' | 'references'
      >;
      const made: Registered = {
        id: registered.length + 1,
        subject: name,
        version: registered.filter((one) => one.subject === name).length + 1,
        schema,
        schemaType,
        references,
      };
      registered.push(made);
      return answer(response, 200, { id: made.id });
    }
    const registration = registered.find(
      (one) => one.subject === name && one.version === Number(subject[2]),
    );
    return registration
      ? answer(response, 200, {
          subject: name,
          version: registration.version,
          id: registration.id,
          schema: registration.schema,
          schemaType: registration.schemaType,
        })
      : answer(response, 404, { error_code: 40402, message: 'Version not found' });
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    void handle(request, response);
  };
  const servers = [
    createServer(listener),
    ...(tls ? [createTlsServer({ cert: tls.certificate, key: tls.privateKey }, listener)] : []),
  ];
  for (const server of servers) {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  }
  const [url = '', secureUrl] = servers.map(
    (server, index) =>
      `${index === 0 ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  return {
    url: secureUrl ?? url,
    requests,
    acceptOnly(admitted) {
      wanted = basic(admitted);
    },
    async register(subject, schema, options = {}) {
      const response = await fetch(`${url}/subjects/${encodeURIComponent(subject)}/versions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(wanted === undefined ? {} : { authorization: wanted }),
        },
        body: JSON.stringify({ schema, ...options }),
      });
      return ((await response.json()) as { id: number }).id;
    },
    async close() {
      for (const server of servers) {
        await new Promise<void>((resolve) => {
          server.closeAllConnections();
          server.close(() => {
            resolve();
          });
        });
      }
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
