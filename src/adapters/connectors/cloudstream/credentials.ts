import type { NodeHttpHandler } from '@smithy/node-http-handler';
import type { CloudstreamSourceInput } from '../../../contract/pipe/cloudstream.ts';
import { assumedRole, type RoleCredentials } from '../assumed-role.ts';
import { cloudstreamError, type ErrorContext } from './cloudstream-errors.ts';
import { withRetries } from './retries.ts';

export interface CredentialsOptions {
  source: Pick<CloudstreamSourceInput, 'accessKey' | 'iamRole' | 'region'>;
  pipeId: string;
  requestHandler: NodeHttpHandler;
  /** Where to assume roles, instead of the region's own service. */
  endpoint?: string | undefined;
  errorContext: ErrorContext;
}

/**
 * The access key, or a role assumed with it. Without a key: the server's own identity, or a role
 * assumed by it. Undefined stands for the AWS client's credential chain (environment, profile,
 * container, machine).
 */
export function credentialsOf({
  source,
  pipeId,
  requestHandler,
  endpoint,
  errorContext,
}: CredentialsOptions): RoleCredentials | (() => Promise<RoleCredentials>) | undefined {
  const { accessKey, iamRole, region } = source;
  const own = accessKey && {
    accessKeyId: accessKey.accessKeyId,
    secretAccessKey: accessKey.secretKey,
  };
  if (iamRole === undefined) {
    return own;
  }
  const assume = assumedRole({
    roleArn: iamRole,
    region,
    sessionName: `sightline-${pipeId}`,
    own,
    requestHandler,
    endpoint,
  });
  return async () => {
    try {
      return await withRetries(assume, AbortSignal.timeout(30_000));
    } catch (error) {
      throw cloudstreamError(error, 'AssumeRole', errorContext);
    }
  };
}

/** Name of the identity with which the pipe calls the service. It contains no secret. */
export function identityOf({
  accessKey,
  iamRole,
}: Pick<CloudstreamSourceInput, 'accessKey' | 'iamRole'>): string {
  if (iamRole !== undefined) {
    return `the role ${iamRole}`;
  }
  return accessKey ? 'the access key' : "the server's own identity";
}
