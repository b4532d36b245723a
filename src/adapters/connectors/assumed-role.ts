import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import type { NodeHttpHandler } from '@smithy/node-http-handler';
import type { CloudCredentials } from './presigned-query.ts';

/** Until when they are good, where they end at all. */
export interface RoleCredentials extends CloudCredentials {
  expiration?: Date;
}

export interface RoleOptions {
  roleArn: string;
  region: string;
  /** Shown in the service's own records. */
  sessionName: string;
  /** With whose rights the role is assumed; absent: the client's own chain (environment, profile, container, machine). */
  own?: CloudCredentials | undefined;
  requestHandler: NodeHttpHandler;
  /** Where roles are assumed, instead of the region's own service. */
  endpoint?: string | undefined;
}

const roleSeconds = 3600;

/** Credentials of a role, asked for anew with each call. Throws what the client throws, which may quote what was sent: it must not be logged as it is. */
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
      throw new Error('no credentials were answered');
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
