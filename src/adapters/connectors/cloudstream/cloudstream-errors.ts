import { ConnectionLost, SourceFailed, type SourceProblem } from '../../../ports/connector.ts';
import { EgressRefused } from '../../../ports/egress.ts';
import {
  certificateReason,
  networkProblem,
  withNetworkReason,
  type CertificateReason,
} from '../network-reason.ts';

/** Names that messages may contain. None of them is a secret. */
export interface ErrorContext {
  stream: string;
  region: string;
  /** The caller's identity: "the access key", "the role arn:…". */
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

/** The service throttles requests, or the stream is briefly busy. */
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

/**
 * Translates an error of the client, the service or the network into our words. The message repeats
 * neither requests nor responses.
 */
export function cloudstreamError(
  error: unknown,
  operation: string,
  context: ErrorContext,
): ConnectionLost | SourceFailed {
  if (error instanceof ConnectionLost || error instanceof SourceFailed) {
    return error;
  }
  const cause = bareCause(error, operation);
  const reason = fatalReason(error, operation, context);
  const problem = problemOf(error, operation);
  if (reason !== undefined) {
    return new SourceFailed(reason, { cause, problem });
  }
  if (nameOf(error) === 'ExpiredTokenException' || nameOf(error) === 'ExpiredToken') {
    return new ConnectionLost('the credentials have expired', {
      cause,
      problem: { reason: 'login_refused' },
    });
  }
  return new ConnectionLost(
    withNetworkReason(`cannot reach the stream service in ${context.region}`, error),
    { cause, problem },
  );
}

function problemOf(error: unknown, operation: string): SourceProblem | undefined {
  const name = nameOf(error);
  if (unknownCallers.has(name)) {
    return { reason: 'login_refused', field: 'accessKey.accessKeyId' };
  }
  if (badSignatures.has(name)) {
    return { reason: 'login_refused', field: 'accessKey.secretKey' };
  }
  if (name === 'CredentialsProviderError') {
    return { reason: 'login_refused', field: 'accessKey' };
  }
  if (denials.has(name)) {
    return operation === 'AssumeRole'
      ? { reason: 'login_refused', field: 'iamRole' }
      : { reason: 'not_permitted', field: 'streamName' };
  }
  return name === 'ResourceNotFoundException'
    ? { reason: 'not_found', field: 'streamName' }
    : networkProblem(error);
}

function fatalReason(
  error: unknown,
  operation: string,
  { stream, region, identity }: ErrorContext,
): string | undefined {
  const name = nameOf(error);
  const refused = [error, (error as { cause?: unknown } | undefined)?.cause].find(
    (candidate) => candidate instanceof EgressRefused,
  );
  if (refused) {
    return refused.message;
  }
  if (unknownCallers.has(name)) {
    return (
      `the service does not know ${identity}. ` +
      'Check accessKey.accessKeyId, and that the key is active.'
    );
  }
  if (badSignatures.has(name)) {
    return (
      `the service rejected the signature of ${identity}. ` +
      'Check accessKey.secretKey and the clock of this server.'
    );
  }
  if (name === 'CredentialsProviderError') {
    return (
      'cannot find AWS credentials. ' +
      'Set accessKey or iamRole, or configure AWS credentials for the server.'
    );
  }
  if (denials.has(name)) {
    return denialReason(operation, stream, identity);
  }
  if (name === 'ResourceNotFoundException') {
    return `stream "${stream}" does not exist in ${region}. Check streamName and region.`;
  }
  if (name === 'InvalidArgumentException' && operation === 'GetShardIterator') {
    return (
      `stream "${stream}" does not know the stored position, because it was created again or its clock is wrong. ` +
      'Create a new pipe to read the stream from the start.'
    );
  }
  if (name.startsWith('KMS') && name !== 'KMSThrottlingException') {
    return (
      `cannot decrypt records of stream "${stream}" (${name}). ` +
      `Grant ${identity} kms:Decrypt on the key of the stream, and check that the key is enabled.`
    );
  }
  return certificateText(certificateReason(error));
}

function denialReason(operation: string, stream: string, identity: string): string {
  return operation === 'AssumeRole'
    ? `cannot assume ${identity}. ` +
        "Allow the pipe's access key, or the server's own identity, in the role's trust policy."
    : `${identity} is not allowed to call kinesis:${operation} on stream "${stream}". ` +
        'Allow it in the policy.';
}

function certificateText(problem: CertificateReason | undefined): string | undefined {
  const text = `the certificate of the stream service ${problem}`;
  return problem === 'is not trusted'
    ? `${text}. Add its CA to NODE_EXTRA_CA_CERTS.`
    : problem && text;
}

/** The facts of an error that may be logged: the service's texts can quote what was signed. */
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
