import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import {
  ConnectionLost,
  SourceFailed,
  type ConnectorContext,
} from '../../../../ports/connector.ts';
import { EgressRefused } from '../../../../ports/egress.ts';
import {
  certificateReason,
  errorChain,
  networkProblem,
  withNetworkReason,
} from '../../network-reason.ts';
import { guardedLookup, guardedName, tlsIdentity } from '../../guarded-lookup.ts';

export interface Schema {
  type: 'AVRO' | 'PROTOBUF' | 'JSON';
  text: string;
  /** All schemas that it refers to, directly or not, with the names it uses for them. */
  references: { name: string; text: string }[];
}

/** Fetches a schema by its id. Undefined if the registry does not have it. */
export type SchemaRegistry = (id: number) => Promise<Schema | undefined>;

const timeoutMs = 10_000;
const responseBytesMax = 4 * 2 ** 20;
const referencesMax = 100;

interface RegisteredSchema {
  schema: string;
  schemaType?: Schema['type'];
  references?: { name: string; subject: string; version: number }[];
}

type RegistryContext = Pick<ConnectorContext<'kafka'>, 'egress' | 'allowHttp'> & {
  registry: NonNullable<ConnectorContext<'kafka'>['source']['schemaRegistry']>;
  closed: AbortSignal;
};

export function schemaRegistry(context: RegistryContext): SchemaRegistry {
  return async (id) => {
    const schema = await get(context, `/schemas/ids/${id}`);
    if (!schema) {
      return undefined;
    }
    const references = new Map<string, string>();
    await collectReferences(context, schema, references);
    return {
      type: schema.schemaType ?? 'AVRO',
      text: schema.schema,
      references: [...references].map(([name, text]) => ({ name, text })),
    };
  };
}

/** Connects and logs in. The registry need not have any schema. */
export async function checkRegistry(context: RegistryContext): Promise<void> {
  await get(context, '/schemas/ids/1');
}

/** Adds references in the order of use: each comes before the schemas that refer to it. */
async function collectReferences(
  context: RegistryContext,
  { references = [] }: RegisteredSchema,
  texts: Map<string, string>,
): Promise<void> {
  for (const { name, subject, version } of references) {
    if (texts.has(name) || texts.size >= referencesMax) {
      continue;
    }
    const schema = await get(
      context,
      `/subjects/${encodeURIComponent(subject)}/versions/${version}`,
    );
    if (!schema) {
      continue;
    }
    await collectReferences(context, schema, texts);
    texts.set(name, schema.schema);
  }
}

async function get(context: RegistryContext, path: string): Promise<RegisteredSchema | undefined> {
  const { status, body } = await fetchText(context, path);
  if (status === 404) {
    return undefined;
  }
  if (status === 401 || status === 403) {
    throw new SourceFailed(
      'the schema registry rejected schemaRegistry.credentials. ' +
        'Allow them at the registry and start the pipe, or create a new pipe with other credentials.',
      { problem: { reason: 'login_refused', field: 'schemaRegistry.credentials' } },
    );
  }
  if (status !== 200) {
    throw new ConnectionLost(`the schema registry responded with status ${status}`);
  }
  try {
    return JSON.parse(body) as RegisteredSchema;
  } catch (error) {
    throw new ConnectionLost('the response of the schema registry is not JSON', {
      cause: error,
    });
  }
}

function registryError(error: unknown): ConnectionLost | SourceFailed {
  for (const cause of errorChain(error)) {
    if (cause instanceof EgressRefused) {
      return new SourceFailed(cause.message, { cause: error, problem: networkProblem(cause) });
    }
    const problem = certificateReason(cause);
    if (problem !== undefined) {
      const text = `the certificate of the schema registry ${problem}`;
      return new SourceFailed(
        problem === 'is not trusted'
          ? `${text}. Create a new pipe with the certificate of its CA as schemaRegistry.caCertificate.`
          : text,
        {
          cause: error,
          problem: { reason: 'tls_refused', field: 'schemaRegistry.caCertificate' },
        },
      );
    }
  }
  return new ConnectionLost(withNetworkReason('cannot reach the schema registry', error), {
    cause: error,
    problem: networkProblem(error),
  });
}

function authorizationOf({ credentials }: RegistryContext['registry']): Record<string, string> {
  if (!credentials) {
    return {};
  }
  const pair = Buffer.from(`${credentials.username}:${credentials.password}`);
  return { authorization: `Basic ${pair.toString('base64')}` };
}

function fetchText(
  { registry, egress, allowHttp, closed }: RegistryContext,
  path: string,
): Promise<{ status: number; body: string }> {
  const { url, caCertificate } = registry;
  const base = new URL(url);
  const secure = base.protocol === 'https:';
  if (!secure && !allowHttp) {
    throw new SourceFailed(
      'schemaRegistry.url must use https. Create a new pipe with an https address.',
    );
  }
  const host = base.hostname.replace(/^\[|\]$/g, '');
  const defaultPort = secure ? 443 : 80;
  const options = {
    host: guardedName,
    port: base.port === '' ? defaultPort : Number(base.port),
    path: `${base.pathname.replace(/\/$/, '')}${path}`,
    timeout: timeoutMs,
    signal: closed,
    lookup: guardedLookup(egress, host),
    agent: false as const,
    headers: {
      host: base.host,
      accept: 'application/vnd.schemaregistry.v1+json',
      ...authorizationOf(registry),
    },
    ...(secure
      ? { ...tlsIdentity(host), ...(caCertificate === undefined ? {} : { ca: caCertificate }) }
      : {}),
  };
  return new Promise((resolve, reject) => {
    const lost = (error: unknown): void => {
      reject(registryError(error));
    };
    const request = (secure ? requestHttps : requestHttp)(options, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > responseBytesMax) {
          response.destroy(new Error('the response is too large'));
        } else {
          chunks.push(chunk);
        }
      });
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
      });
      response.on('error', lost);
    });
    request.on('timeout', () => {
      request.destroy(new Error('the request timed out'));
    });
    request.on('error', lost);
    request.end();
  });
}
