import type { ConnectionOptions } from 'node:tls';
import { logLevel, type KafkaConfig, type SASLOptions } from 'kafkajs';
import { brokersOf } from '../../../contract/pipe/fields.ts';
import type { ConnectorContext } from '../../../ports/connector.ts';
import type { FramePool } from './wire/frame-pool.ts';
import { iamLogin } from './login/iam-login.ts';
import { openSocket } from './wire/socket.ts';

interface ClientParts {
  memory: FramePool;
  /** Ends every connection at once. */
  closed: AbortSignal;
  stsEndpoint: string | undefined;
}

/**
 * Options of the Kafka client. With authentication or a CA certificate the connection is always
 * encrypted, so a password never crosses the network in clear.
 */
export function clientOptions(
  context: ConnectorContext<'kafka'>,
  { memory, closed, stsEndpoint }: ClientParts,
): KafkaConfig {
  const { source, pipeId, log, egress } = context;
  const { authentication, credentials, caCertificate } = source;
  const method = authentication ?? (credentials ? 'PLAIN' : undefined);
  const encrypted = method !== undefined || caCertificate !== undefined;
  const ssl: ConnectionOptions = {
    ...(caCertificate === undefined ? {} : { ca: caCertificate }),
    ...(method === 'MUTUAL_TLS'
      ? { cert: credentials?.certificate, key: credentials?.privateKey }
      : {}),
  };
  const sasl =
    method === 'IAM_ROLE' || method === 'IAM_USER'
      ? iamLogin(context, stsEndpoint)
      : saslOf(method, credentials);
  return {
    clientId: `sightline-${pipeId}`,
    brokers: brokersOf(source.brokers),
    ...(encrypted ? { ssl } : {}),
    ...(sasl ? { sasl } : {}),
    connectionTimeout: 5000,
    authenticationTimeout: 10_000,
    requestTimeout: 30_000,
    retry: { initialRetryTime: 200, maxRetryTime: 3000, retries: 3 },
    socketFactory: (args) => openSocket(egress, memory, closed, args),
    logLevel: logLevel.WARN,
    // The client's messages contain no secrets, but its extra fields might.
    logCreator:
      () =>
      ({ log: { message } }) => {
        log.debug({ client: 'kafkajs' }, message);
      },
  };
}

function saslOf(
  method: string | undefined,
  credentials: { username?: string | undefined; password?: string | undefined } | undefined,
): SASLOptions | undefined {
  const user = { username: credentials?.username ?? '', password: credentials?.password ?? '' };
  switch (method) {
    case 'PLAIN':
      return { mechanism: 'plain', ...user };
    case 'SCRAM-SHA-256':
      return { mechanism: 'scram-sha-256', ...user };
    case 'SCRAM-SHA-512':
      return { mechanism: 'scram-sha-512', ...user };
    default:
      return undefined;
  }
}
