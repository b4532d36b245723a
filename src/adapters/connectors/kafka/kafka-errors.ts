import { ConnectionLost, SourceFailed, type SourceProblem } from '../../../ports/connector.ts';
import { EgressRefused } from '../../../ports/egress.ts';
import {
  certificateReason,
  errorChain,
  networkProblem,
  withNetworkReason,
} from '../network-reason.ts';
import { OldFormat } from './wire/record-set.ts';

/** Names that messages may contain. None of them is a secret. */
export interface ErrorContext {
  topics: string;
  group: string;
  /** Authentication method. */
  method: string;
}

interface ClientError {
  name?: string;
  message?: string;
  type?: string;
  code?: string;
}

/**
 * Translates an error of the client, a broker or the network into our words. The message repeats
 * nothing that was sent.
 */
export function kafkaError(
  error: unknown,
  context: ErrorContext,
): ConnectionLost | SourceFailed | Error {
  if (error instanceof ConnectionLost || error instanceof SourceFailed) {
    return error;
  }
  for (const cause of errorChain(error)) {
    // Our own error, thrown inside the client.
    if (cause instanceof SourceFailed) {
      return cause;
    }
    const reason = fatalReason(cause, context);
    if (reason !== undefined) {
      return new SourceFailed(reason, {
        cause: error,
        problem: problemOf(cause) ?? networkProblem(cause),
      });
    }
  }
  return new ConnectionLost(withNetworkReason('cannot reach the Kafka brokers', error), {
    cause: error,
    problem: networkProblem(error),
  });
}

function fatalReason(
  error: ClientError,
  { topics, group, method }: ErrorContext,
): string | undefined {
  if (error instanceof EgressRefused) {
    return error.message;
  }
  const { name, message = '', type } = error;
  if (error instanceof OldFormat) {
    return (
      `one of the topics (${topics}) contains records in a format older than Kafka 0.11. ` +
      'Copy the topic into a new one.'
    );
  }
  if (name === 'KafkaJSSASLAuthenticationError' || type === 'SASL_AUTHENTICATION_FAILED') {
    return (
      `the broker rejected the credentials (${method}). ` +
      'Check the user name and password in credentials.'
    );
  }
  if (
    type === 'UNSUPPORTED_SASL_MECHANISM' ||
    /unsupported.*mechanism|mechanism.*not supported/i.test(message)
  ) {
    return (
      `the broker does not support authentication ${method}. ` +
      'Change authentication, or enable the method at the broker.'
    );
  }
  if (type === 'UNKNOWN_TOPIC_OR_PARTITION') {
    return `one of the topics (${topics}) does not exist. Create it, or change topics.`;
  }
  if (type === 'TOPIC_AUTHORIZATION_FAILED') {
    return (
      `the user is not allowed to read one of the topics (${topics}). ` +
      'Grant it Read and Describe on the topics.'
    );
  }
  if (type === 'GROUP_AUTHORIZATION_FAILED') {
    return (
      `the user is not allowed to use consumer group "${group}". ` +
      'Grant it Read on the group, or change consumerGroup.'
    );
  }
  return tlsReason(error);
}

function problemOf({
  name,
  message = '',
  type,
  code = '',
}: ClientError): SourceProblem | undefined {
  if (name === 'KafkaJSSASLAuthenticationError' || type === 'SASL_AUTHENTICATION_FAILED') {
    return { reason: 'login_refused', field: 'credentials' };
  }
  const known = type === undefined ? undefined : problems[type];
  if (known) {
    return known;
  }
  if (certificateReason({ code, message }) !== undefined) {
    return { reason: 'tls_refused', field: 'caCertificate' };
  }
  if (clientCertificateAlert.test(`${message} ${code}`)) {
    return { reason: 'login_refused', field: 'credentials.certificate' };
  }
  return /mechanism/i.test(message)
    ? { reason: 'unsupported', field: 'authentication' }
    : undefined;
}

const problems: Record<string, SourceProblem> = {
  UNSUPPORTED_SASL_MECHANISM: { reason: 'unsupported', field: 'authentication' },
  UNKNOWN_TOPIC_OR_PARTITION: { reason: 'not_found', field: 'topics' },
  TOPIC_AUTHORIZATION_FAILED: { reason: 'not_permitted', field: 'topics' },
};

const clientCertificateAlert =
  /alert (bad certificate|certificate required|unknown ca|certificate unknown)|ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED|SSL_ALERT/i;

function tlsReason({ code, message = '' }: ClientError): string | undefined {
  const problem = certificateReason({ code, message });
  if (problem !== undefined) {
    const text = `the certificate of the broker ${problem}`;
    return problem === 'is not trusted'
      ? `${text}. Set caCertificate to the certificate of its CA.`
      : text;
  }
  return clientCertificateAlert.test(`${message} ${code ?? ''}`)
    ? 'the broker rejected the client certificate. Check credentials.certificate.'
    : undefined;
}
