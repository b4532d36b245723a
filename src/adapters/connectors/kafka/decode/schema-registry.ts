import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import {
  ConnectionLost,
  SourceFailed,
  type ConnectorContext,
} from '../../../../ports/connector.ts';
import { EgressRefused } from '../../../../ports/egress.ts';
import { certificateReason, errorChain, withNetworkReason } from '../../network-reason.ts';
import { guardedLookup, guardedName, tlsIdentity } from '../socket.ts';

export interface Schema {
  type: 'AVRO' | 'PROTOBUF' | 'JSON';
  text: string;
  /** Schemas it names, and theirs, by the name it uses. */
  references: { name: string; text: string }[];
}

/** Looks a schema up by its id; undefined where there is none. */
export type SchemaRegistry = (id: number) => Promise<Schema | undefined>;

const timeoutMs = 10_000;
const answerBytesMax = 4 * 2 ** 20;
const referencesMax = 100;

interface Answer {
  schema: string;
  schemaType?: Schema['type'];
  references?: { name: string; subject: string; version: number }[];
}

export function schemaRegistry(context: ConnectorContext<'kafka'>): SchemaRegistry {
  return async (id) => {
    const answer = await get(context, `/schemas/ids/${id}`);
    if (!answer) {
      return undefined;
    }
    const references = new Map<string, string>();
    await follow(context, answer, references);
    return {
      type: answer.schemaType ?? 'AVRO',
      text: answer.schema,
      references: [...references].map(([name, text]) => ({ name, text })),
    };
  };
}

/** The deepest first, so that each is known before it is named. */
async function follow(
  context: ConnectorContext<'kafka'>,
  { references = [] }: Answer,
  found: Map<string, string>,
): Promise<void> {
  for (const { name, subject, version } of references) {
    if (found.has(name) || found.size >= referencesMax) {
      continue;
    }
    const answer = await get(
      context,
      `/subjects/${encodeURIComponent(subject)}/versions/${version}`,
    );
    if (!answer) {
      continue;
    }
    await follow(context, answer, found);
    found.set(name, answer.schema);
  }
}

async function get(context: ConnectorContext<'kafka'>, path: string): Promise<Answer | undefined> {
  const { status, body } = await fetchText(context, path);
  if (status === 404) {
    return undefined;
  }
  if (status === 401 || status === 403) {
    throw new SourceFailed(
      'the schema registry refused the credentials of the pipe: let it take them again and start the pipe, or make the pipe anew with other schemaRegistry.credentials',
    );
  }
  if (status !== 200) {
    throw new ConnectionLost(`the schema registry answered ${status}`);
  }
  try {
    return JSON.parse(body) as Answer;
  } catch (error) {
    throw new ConnectionLost('the schema registry answered something that is not JSON', {
      cause: error,
    });
  }
}

function registryError(error: unknown): ConnectionLost | SourceFailed {
  for (const told of errorChain(error)) {
    if (told instanceof EgressRefused) {
      return new SourceFailed(told.message, { cause: error });
    }
    const wrong = certificateReason(told);
    if (wrong !== undefined) {
      return new SourceFailed(
        `the certificate of the schema registry ${wrong}${wrong === 'is not trusted' ? ': its authority is given as schemaRegistry.caCertificate when a pipe is made' : ''}`,
        { cause: error },
      );
    }
  }
  return new ConnectionLost(withNetworkReason('the schema registry does not answer', error), {
    cause: error,
  });
}

function fetchText(
  { source, egress, allowHttp }: ConnectorContext<'kafka'>,
  path: string,
): Promise<{ status: number; body: string }> {
  const { url, credentials, caCertificate } = source.schemaRegistry!;
  const base = new URL(url);
  const secure = base.protocol === 'https:';
  if (!secure && !allowHttp) {
    throw new SourceFailed('the schema registry must be reached over https');
  }
  const host = base.hostname.replace(/^\[|\]$/g, '');
  const options = {
    host: guardedName,
    port: base.port === '' ? (secure ? 443 : 80) : Number(base.port),
    path: `${base.pathname.replace(/\/$/, '')}${path}`,
    timeout: timeoutMs,
    lookup: guardedLookup(egress, host),
    agent: false as const,
    headers: {
      host: base.host,
      accept: 'application/vnd.schemaregistry.v1+json',
      ...(credentials
        ? {
            authorization: `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`,
          }
        : {}),
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
        if (bytes > answerBytesMax) {
          response.destroy(new Error('the answer is too large'));
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
      request.destroy(new Error('no answer in time'));
    });
    request.on('error', lost);
    request.end();
  });
}
