import type { ItemOutcome } from '../../../../ports/batch.ts';
import { ConnectionLost, SourceFailed, type SourceProblem } from '../../../../ports/connector.ts';
import { EgressRefused } from '../../../../ports/egress.ts';
import { TelemetryError } from '../../../../ports/telemetry.ts';
import {
  certificateReason,
  errorChain,
  networkProblem,
  withNetworkReason,
} from '../../network-reason.ts';
import { objectReason } from './object-reason.ts';

/** The subject of errors, in the words of the pipe. */
export interface About {
  /** "the bucket x", "the container x". */
  place: string;
  /** Field of the source that names the place. */
  field: string;
  /** "the access key", "the role arn:…". */
  identity: string;
  /** Field of the source that holds it. */
  identityField: string;
}

const unknownCallers = new Set([
  'InvalidAccessKeyId',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
  'InvalidAuthenticationInfo',
  'AuthenticationFailed',
  'NoAuthenticationInformation',
  'UnauthorizedAccess',
]);
const regionAdvice =
  'If the service requires a region, an operator can set it in SIGHTLINE_OBJECT_STORAGE_REGIONS';
const redirects = new Set([301, 302, 303, 307, 308]);

interface ServiceError {
  name?: string;
  code?: string;
  statusCode?: number;
  $metadata?: { httpStatusCode?: number; requestId?: string };
  details?: { errorCode?: string };
  cause?: unknown;
}

export const statusOf = (error: unknown): number | undefined =>
  (error as ServiceError).$metadata?.httpStatusCode ?? (error as ServiceError).statusCode;
const wordOf = (error: unknown): string => {
  const { name, code, details } = error as ServiceError;
  return details?.errorCode ?? (name === 'RestError' || name === undefined ? (code ?? '') : name);
};

/**
 * Translates an error of the client, the service or the network. The message repeats nothing of the
 * request or the answer.
 */
export function objectStoreError(
  error: unknown,
  operation: string,
  about: About,
): ConnectionLost | SourceFailed {
  if (error instanceof ConnectionLost || error instanceof SourceFailed) {
    return error;
  }
  const word = wordOf(error);
  const cause = new Error(`${operation}: ${word} ${statusOf(error) ?? ''}`.trim());
  const reason = fatalReason(error, word, operation, about);
  const problem = problemOf(error, word, operation, about);
  if (reason !== undefined) {
    return new SourceFailed(reason, { cause, problem });
  }
  if (redirects.has(statusOf(error) ?? 0)) {
    return new ConnectionLost(
      `the object store of ${about.place} redirects to another address, and the server follows no ` +
        'redirect. Use the final address in the source.',
      { cause, problem: { reason: 'address_refused' } },
    );
  }
  return new ConnectionLost(
    withNetworkReason(`the object store of ${about.place} does not respond correctly`, error),
    { cause, problem },
  );
}

const badLogins = new Set([
  'AuthorizationHeaderMalformed',
  'SignatureDoesNotMatch',
  'CredentialsProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
]);
const missingPlaces = new Set([
  'NoSuchBucket',
  'ContainerNotFound',
  'InvalidBucketName',
  'InvalidURI',
]);

function problemOf(
  error: unknown,
  word: string,
  operation: string,
  { field, identityField }: About,
): SourceProblem | undefined {
  const status = statusOf(error);
  if (operation === 'AssumeRole') {
    return { reason: 'login_refused', field: 'iamRole' };
  }
  if (unknownCallers.has(word) || badLogins.has(word) || status === 401) {
    return { reason: 'login_refused', field: identityField };
  }
  if (missingPlaces.has(word) || status === 404) {
    return { reason: 'not_found', field };
  }
  return status === 403 ? { reason: 'not_permitted', field: identityField } : networkProblem(error);
}

function fatalReason(
  error: unknown,
  word: string,
  operation: string,
  { place, identity }: About,
): string | undefined {
  const refused = errorChain(error).find((one) => one instanceof EgressRefused);
  if (refused) {
    return refused.message;
  }
  const status = statusOf(error);
  if (operation === 'AssumeRole' && (status === 403 || status === 400)) {
    return `cannot assume ${identity}. Allow the server's own identity in the role's trust policy.`;
  }
  if (unknownCallers.has(word) || status === 401) {
    return `the object store does not know ${identity}. Check that the credentials are correct and active.`;
  }
  if (word === 'AuthorizationHeaderMalformed') {
    return (
      `the object store rejects the form of ${identity}. Check the access key id. ` +
      `${regionAdvice}.`
    );
  }
  if (word === 'SignatureDoesNotMatch') {
    return (
      `the object store rejects the signature of ${identity}. Check the secret, and the clock of ` +
      `the server. ${regionAdvice}.`
    );
  }
  if (word === 'CredentialsProviderError') {
    return 'no credentials were found. Set accessKey, or run the server with an AWS role.';
  }
  if (word === 'ExpiredToken' || word === 'ExpiredTokenException') {
    return undefined;
  }
  if (word === 'NoSuchBucket' || word === 'ContainerNotFound') {
    return `${place} does not exist. Check the address.`;
  }
  if (word === 'InvalidBucketName' || word === 'InvalidURI') {
    return `${place} is not a valid name for the object store`;
  }
  if (status === 403) {
    return `${identity} has no access to ${place}. Check the credentials, and allow them to list and read.`;
  }
  if (status === 404 && operation === 'list') {
    return `${place} does not exist. Check the address.`;
  }
  const wrong = certificateReason(error);
  return wrong && `the certificate of the object store ${wrong}`;
}

/** What an error means for an object. */
export type Blame = Pick<ItemOutcome, 'state' | 'reason' | 'unreached'>;

/** Whether an error of the engine names this object. `path`: what the engine calls it. */
export function namesObject(text: string, name: string, path: string): boolean {
  return (
    text.includes(`in file/uri ${path})`) ||
    text.includes(`while reading '${name}'`) ||
    text.includes(`while reading key: ${name}, from bucket: `) ||
    text.includes(`S3 object ${path} was replaced`)
  );
}

/** What an engine error about one object means for it. `last`: it is not tried again. */
export function blameObject(error: Error, bytesMax: number, last: boolean): Blame {
  const text = error.message;
  if (
    /HTTP response code: 404|BlobNotFound|The specified (key|blob) does not exist|NoSuchKey/.test(
      text,
    )
  ) {
    return { state: 'gone', reason: null };
  }
  const later = (reason: string, unreached?: Blame['unreached']): Blame => ({
    ...(last
      ? { state: 'refused', reason: `${reason}; given up after several tries` }
      : { state: 'waiting', reason }),
    ...(unreached && { unreached }),
  });
  if (
    /OBJECT_CHANGED_DURING_READ|HTTP response code: 412|ConditionNotMet|PreconditionFailed|was modified|etag.*(mismatch|changed|differ)/i.test(
      text,
    )
  ) {
    return last
      ? later('it is overwritten again and again while it is read')
      : { state: 'waiting', reason: null };
  }
  const kind = error instanceof TelemetryError ? error.kind : 'other';
  if (kind === 'timeout') {
    return later('it takes too long to read', 'away');
  }
  if (kind === 'memory') {
    return later(
      'the engine has too little memory to read it: its rows or row groups are too large',
    );
  }
  if (kind === 'too_many_rows' || /Limit for rows or bytes to read exceeded/.test(text)) {
    return {
      state: 'refused',
      reason:
        `it gives more than ${Math.round(bytesMax / 2 ** 20)} MiB when decompressed, ` +
        'far more than its size suggests',
    };
  }
  if (
    /Too many redirects|PermanentRedirect|Egress ?[Rr]efused|HTTP response code: (?:30[12378]|421)\b/.test(
      text,
    )
  ) {
    return later(
      'the object store redirects to another address, which the server does not follow',
      'away',
    );
  }
  if (/S3_ERROR|AZURE_BLOB_STORAGE_ERROR|Azure::/.test(text)) {
    return notGiven(text, later);
  }
  return { state: 'refused', reason: objectReason(text) };
}

/** The engine repeats the service's own words about a GET, and not always its status. */
function notGiven(
  text: string,
  later: (reason: string, unreached: 'refused' | 'away') => Blame,
): Blame {
  const status =
    /(?:HTTP response code: |(?:StorageException|RequestFailedException): )(\d{3})\b/.exec(
      text,
    )?.[1];
  if (
    /InvalidObjectState|BlobArchived|BlobBeingRehydrated|archived blob|not valid for the object's (?:storage class|access tier)/.test(
      text,
    )
  ) {
    return later('it is archived: restore it, or exclude it from the pattern', 'refused');
  }
  if (
    status === '403' ||
    status === '400' ||
    (status === undefined && /Access ?Denied|Forbidden/i.test(text))
  ) {
    const refusal = `the object store denies the engine access to it (${status ?? 'access denied'})`;
    const advice = `allow the credentials to read it. ${regionAdvice}`;
    return later(text.includes('S3_ERROR') ? `${refusal}: ${advice}` : refusal, 'refused');
  }
  return later(`the engine cannot fetch it${status === undefined ? '' : ` (${status})`}`, 'away');
}
