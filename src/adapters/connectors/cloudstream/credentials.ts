import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import type { NodeHttpHandler } from '@smithy/node-http-handler';
import type { CloudstreamSourceInput } from '../../../contract/pipe/cloudstream.ts';
import { cloudstreamError, type About } from './cloudstream-errors.ts';
import { patiently } from './patience.ts';

/** As the client wants them. */
interface SignedCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  expiration?: Date;
}

export type CredentialsProvider = () => Promise<SignedCredentials>;

export interface CredentialsOptions {
  source: Pick<CloudstreamSourceInput, 'accessKey' | 'iamRole' | 'region'>;
  pipeId: string;
  requestHandler: NodeHttpHandler;
  /** Where roles are assumed, instead of the region's own service. */
  endpoint?: string | undefined;
  about: About;
}

const roleSeconds = 3600;

/**
 * The access key, or a role assumed with it. Without a key: what this program runs as, or a role assumed by that. Undefined stands for the
 * client's own chain (environment, profile, container, machine).
 */
export function credentialsOf({ source, pipeId, requestHandler, endpoint, about }: CredentialsOptions): SignedCredentials | CredentialsProvider | undefined {
  const { accessKey, iamRole, region } = source;
  const own = accessKey && { accessKeyId: accessKey.accessKeyId, secretAccessKey: accessKey.secretKey };
  if (iamRole === undefined) return own;
  const sts = new STSClient({ region, requestHandler, maxAttempts: 1, ...(own ? { credentials: own } : {}), ...(endpoint === undefined ? {} : { endpoint }) });
  const assume = new AssumeRoleCommand({ RoleArn: iamRole, RoleSessionName: `sightline-${pipeId}`, DurationSeconds: roleSeconds });
  return async () => {
    try {
      const { Credentials } = await patiently(() => sts.send(assume), AbortSignal.timeout(30_000));
      if (!Credentials?.AccessKeyId || !Credentials.SecretAccessKey) throw new Error('no credentials were answered');
      const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = Credentials;
      return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, ...(SessionToken === undefined ? {} : { sessionToken: SessionToken }), ...(Expiration ? { expiration: Expiration } : {}) };
    } catch (error) {
      throw cloudstreamError(error, 'AssumeRole', about);
    }
  };
}

/** How the pipe is known to the service, without a secret in it. */
export function identityOf({ accessKey, iamRole }: Pick<CloudstreamSourceInput, 'accessKey' | 'iamRole'>): string {
  if (iamRole !== undefined) return `the role ${iamRole}`;
  return accessKey ? 'the access key' : 'the identity this program runs as';
}
