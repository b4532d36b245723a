import { ConnectionLost, SourceFailed } from '../../../ports/connector.ts';
import { EgressRefused } from '../../../ports/egress.ts';
import { certificateReason, errorChain, withNetworkReason } from '../network-reason.ts';
import { OldFormat } from './record-set.ts';

interface Told {
  name?: string;
  message?: string;
  type?: string;
  code?: string;
}

/** What the client, a broker or the network threw, in our words: nothing of what was sent is repeated. */
export function kafkaError(
  error: unknown,
  about: { topics: string; group: string; method: string },
): ConnectionLost | SourceFailed | Error {
  if (error instanceof ConnectionLost || error instanceof SourceFailed) {
    return error;
  }
  for (const told of errorChain(error)) {
    // Of our own, from inside of the client.
    if (told instanceof SourceFailed) {
      return told;
    }
    const reason = fatalReason(told, about);
    if (reason !== undefined) {
      return new SourceFailed(reason, { cause: error });
    }
  }
  return new ConnectionLost(withNetworkReason('no broker answers as it should', error), {
    cause: error,
  });
}

function fatalReason(
  told: Told,
  { topics, group, method }: { topics: string; group: string; method: string },
): string | undefined {
  if (told instanceof EgressRefused) {
    return told.message;
  }
  const { name, message = '', type } = told;
  if (told instanceof OldFormat) {
    return `one of the topics (${topics}) holds records in a format from before Kafka 0.11, which is not supported: copy it into a new topic`;
  }
  if (name === 'KafkaJSSASLAuthenticationError' || type === 'SASL_AUTHENTICATION_FAILED') {
    return `the broker refused the credentials (${method}): check user name and password`;
  }
  if (
    type === 'UNSUPPORTED_SASL_MECHANISM' ||
    /unsupported.*mechanism|mechanism.*not supported/i.test(message)
  ) {
    return `the broker does not offer authentication ${method}`;
  }
  if (type === 'UNKNOWN_TOPIC_OR_PARTITION') {
    return `one of the topics (${topics}) does not exist`;
  }
  if (type === 'TOPIC_AUTHORIZATION_FAILED') {
    return `the credentials may not read one of the topics (${topics})`;
  }
  if (type === 'GROUP_AUTHORIZATION_FAILED') {
    return `the credentials may not use the consumer group ${group}`;
  }
  return tlsReason(told);
}

function tlsReason({ code, message = '' }: Told): string | undefined {
  const wrong = certificateReason({ code, message });
  if (wrong !== undefined) {
    return `the certificate of the broker ${wrong}${wrong === 'is not trusted' ? ': give its authority as caCertificate' : ''}`;
  }
  if (
    /alert (bad certificate|certificate required|unknown ca|certificate unknown)|ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED|SSL_ALERT/i.test(
      `${message} ${code ?? ''}`,
    )
  ) {
    return 'the broker refused the client certificate';
  }
  return undefined;
}
