import { ConnectionLost, SourceFailed } from '../../../ports/connector.ts';
import { EgressRefused } from '../../../ports/egress.ts';
import { OldFormat } from './record-set.ts';

interface Told {
  name: string;
  message: string;
  type: string | undefined;
  code: string | undefined;
}

/** What the client, a broker or the network threw, in our words: nothing of what was sent is repeated. */
export function kafkaError(error: unknown, about: { topics: string; group: string; method: string }): ConnectionLost | SourceFailed | Error {
  if (error instanceof ConnectionLost || error instanceof SourceFailed) return error;
  for (const told of chain(error)) {
    // Of our own, from inside of the client.
    if (told.error instanceof SourceFailed) return told.error;
    const reason = fatalReason(told, about);
    if (reason !== undefined) return new SourceFailed(reason, { cause: error });
  }
  return new ConnectionLost('no broker answers as it should; reading goes on when one does', { cause: error });
}

function* chain(error: unknown): Generator<Told & { error: unknown }> {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < 8; depth++) {
    const { type, code } = current as { type?: string; code?: string };
    yield { error: current, name: current.name, message: current.message, type, code };
    const next = current as { originalError?: unknown };
    current = current.cause ?? next.originalError;
  }
}

function fatalReason({ error, name, message, type, code }: Told & { error: unknown }, { topics, group, method }: { topics: string; group: string; method: string }): string | undefined {
  if (error instanceof EgressRefused) return error.message;
  if (error instanceof OldFormat) return `one of the topics (${topics}) holds records in a format from before Kafka 0.11, which is not supported: copy it into a new topic`;
  if (name === 'KafkaJSSASLAuthenticationError' || type === 'SASL_AUTHENTICATION_FAILED') return `the broker refused the credentials (${method}): check user name and password`;
  if (type === 'UNSUPPORTED_SASL_MECHANISM' || /unsupported.*mechanism|mechanism.*not supported/i.test(message)) return `the broker does not offer authentication ${method}`;
  if (type === 'UNKNOWN_TOPIC_OR_PARTITION') return `one of the topics (${topics}) does not exist`;
  if (type === 'TOPIC_AUTHORIZATION_FAILED') return `the credentials may not read one of the topics (${topics})`;
  if (type === 'GROUP_AUTHORIZATION_FAILED') return `the credentials may not use the consumer group ${group}`;
  return tlsReason(code, message);
}

const untrusted = new Set(['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_SIGNATURE_FAILURE']);

function tlsReason(code: string | undefined, message: string): string | undefined {
  if ((code !== undefined && untrusted.has(code)) || /self-signed certificate|unable to verify the first certificate/i.test(message)) return 'the certificate of the broker is not trusted: give its authority as caCertificate';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'the certificate of the broker is for another host name';
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate of the broker has expired';
  if (/alert (bad certificate|certificate required|unknown ca|certificate unknown)|ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED|SSL_ALERT/i.test(`${message} ${code ?? ''}`)) return 'the broker refused the client certificate';
  return undefined;
}
