import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import type { NodeHttpHandler } from '@smithy/node-http-handler';
import type { CloudCredentials } from './presigned-query.ts';

export interface RoleCredentials extends CloudCredentials {
  /** Absent if the credentials do not expire. */
  expiration?: Date;
}

export interface RoleOptions {
  roleArn: string;
  region: string;
  /** Shown in the service's logs. */
  sessionName: string;
  /**
   * Credentials to assume the role with. Default: the AWS client's credential chain (environment,
   * profile, container, machine).
   */
  own?: CloudCredentials | undefined;
  requestHandler: NodeHttpHandler;
  /** Where to assume roles, instead of the region's own service. */
  endpoint?: string | undefined;
}

const roleSeconds = 3600;

/**
 * Returns a function that requests new credentials of a role with each call. It throws the client's
 * errors, which may quote the request: do not log them.
 */
export function assumedRole({
  roleArn,
  region,
  sessionName,
  own,
  requestHandler,
  endpoint,
}: RoleOptions): () => Promise<RoleCredentials> {
  const sts = new STSClient({
    region,
    requestHandler,
    maxAttempts: 1,
    ...(own ? { credentials: own } : {}),
    ...(endpoint === undefined ? {} : { endpoint }),
  });
  return async () => {
    const { Credentials } = await sts.send(
      new AssumeRoleCommand({
        RoleArn: roleArn,
        RoleSessionName: sessionName,
        DurationSeconds: roleSeconds,
      }),
    );
    if (!Credentials?.AccessKeyId || !Credentials.SecretAccessKey) {
      throw new Error('the response contains no credentials');
    }
    const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = Credentials;
    return {
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      ...(SessionToken === undefined ? {} : { sessionToken: SessionToken }),
      ...(Expiration ? { expiration: Expiration } : {}),
    };
  };
}
