import { ConnectionLost, SourceFailed } from '../../../ports/connector.ts';
import { EgressRefused } from '../../../ports/egress.ts';
import { certificateReason, withNetworkReason } from '../network-reason.ts';

/** What the errors tell about, in the words of the pipe. */
export interface About {
  stream: string;
  region: string;
  /** How the caller was to be known: "the access key", "the role arn:…". */
  identity: string;
}

const throttles = new Set([
  'ProvisionedThroughputExceededException',
  'LimitExceededException',
  'ThrottlingException',
  'Throttling',
  'ThrottledException',
  'TooManyRequestsException',
  'RequestLimitExceeded',
  'KMSThrottlingException',
  'ResourceInUseException',
  'SlowDown',
]);
const unknownCallers = new Set([
  'UnrecognizedClientException',
  'InvalidClientTokenId',
  'InvalidAccessKeyId',
  'MissingAuthenticationToken',
  'MissingAuthenticationTokenException',
  'IncompleteSignature',
  'IncompleteSignatureException',
]);
const badSignatures = new Set(['InvalidSignatureException', 'SignatureDoesNotMatch']);
const denials = new Set([
  'AccessDeniedException',
  'AccessDenied',
  'NotAuthorized',
  'OptInRequired',
]);

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
const codeOf = (error: unknown): string | undefined =>
  (error as { code?: string } | undefined)?.code;

/** The service asks for fewer requests, or is busy with the stream for a moment. */
export function isThrottle(error: unknown): boolean {
  return throttles.has(nameOf(error)) || statusOf(error) === 429;
}

export const isExpiredIterator = (error: unknown): boolean =>
  nameOf(error) === 'ExpiredIteratorException';
export const isNotFound = (error: unknown): boolean =>
  nameOf(error) === 'ResourceNotFoundException';
/** The endpoint has no such operation. */
export const isUnknownOperation = (error: unknown): boolean =>
  /^(UnknownOperation(Exception)?|NotImplemented(Exception)?|UnsupportedOperationException)$/.test(
    nameOf(error),
  ) || statusOf(error) === 501;

/** What the client, the service or the network threw, in our words: nothing of what was sent is repeated, and what was answered is not either. */
export function cloudstreamError(
  error: unknown,
  operation: string,
  about: About,
): ConnectionLost | SourceFailed {
  if (error instanceof ConnectionLost || error instanceof SourceFailed) {
    return error;
  }
  const cause = bareCause(error, operation);
  const reason = fatalReason(error, operation, about);
  if (reason !== undefined) {
    return new SourceFailed(reason, { cause });
  }
  if (nameOf(error) === 'ExpiredTokenException' || nameOf(error) === 'ExpiredToken') {
    return new ConnectionLost('the credentials have expired', { cause });
  }
  return new ConnectionLost(
    withNetworkReason(`the stream service in ${about.region} does not answer as it should`, error),
    { cause },
  );
}

function fatalReason(
  error: unknown,
  operation: string,
  { stream, region, identity }: About,
): string | undefined {
  const name = nameOf(error);
  const refused = [error, (error as { cause?: unknown } | undefined)?.cause].find(
    (one) => one instanceof EgressRefused,
  );
  if (refused) {
    return (refused as EgressRefused).message;
  }
  if (unknownCallers.has(name)) {
    return `the service does not know ${identity}: check accessKey.accessKeyId, and that it is active`;
  }
  if (badSignatures.has(name)) {
    return `the service refused the signature of ${identity}: check accessKey.secretKey, and the clock of this machine`;
  }
  if (name === 'CredentialsProviderError') {
    return 'no credentials were found: give accessKey or iamRole, or run this program with a role of its own';
  }
  if (denials.has(name)) {
    return operation === 'AssumeRole'
      ? `${identity} cannot be assumed: let its trust policy name this program's own identity`
      : `${identity} may not call kinesis:${operation} on the stream ${stream}: add it to its policy`;
  }
  if (name === 'ResourceNotFoundException') {
    return `the stream ${stream} does not exist in ${region}: check streamName and region`;
  }
  if (name === 'InvalidArgumentException' && operation === 'GetShardIterator') {
    return `the stream ${stream} does not know the stored position: it was made anew, or its clock is wrong; make the pipe anew to read it from the start`;
  }
  if (name.startsWith('KMS') && name !== 'KMSThrottlingException') {
    return `the records of ${stream} cannot be decrypted (${name}): give ${identity} kms:Decrypt on the key of the stream, and check that the key is enabled`;
  }
  const wrong = certificateReason(error);
  return wrong && `the certificate of the stream service ${wrong}`;
}

/** What may be logged of an error: the service's texts can quote what was signed. */
function bareCause(error: unknown, operation: string): Error {
  const facts = {
    name: nameOf(error),
    code: codeOf(error),
    status: statusOf(error),
    request: (error as { $metadata?: { requestId?: string } } | undefined)?.$metadata?.requestId,
  };
  return new Error(
    `${operation}: ${Object.entries(facts)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([key, value]) => `${key} ${String(value)}`)
      .join(', ')}`,
  );
}
