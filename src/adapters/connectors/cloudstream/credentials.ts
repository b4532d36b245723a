import type { NodeHttpHandler } from '@smithy/node-http-handler';
import type { CloudstreamSourceInput } from '../../../contract/pipe/cloudstream.ts';
import { assumedRole, type RoleCredentials } from '../assumed-role.ts';
import { cloudstreamError, type About } from './cloudstream-errors.ts';
import { patiently } from './patience.ts';

export interface CredentialsOptions {
  source: Pick<CloudstreamSourceInput, 'accessKey' | 'iamRole' | 'region'>;
  pipeId: string;
  requestHandler: NodeHttpHandler;
  /** Where roles are assumed, instead of the region's own service. */
  endpoint?: string | undefined;
  about: About;
}

/**
 * The access key, or a role assumed with it. Without a key: what this program runs as, or a role assumed by that. Undefined stands for the
 * client's own chain (environment, profile, container, machine).
 */
export function credentialsOf({
  source,
  pipeId,
  requestHandler,
  endpoint,
  about,
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
      return await patiently(assume, AbortSignal.timeout(30_000));
    } catch (error) {
      throw cloudstreamError(error, 'AssumeRole', about);
    }
  };
}

/** How the pipe is known to the service, without a secret in it. */
export function identityOf({
  accessKey,
  iamRole,
}: Pick<CloudstreamSourceInput, 'accessKey' | 'iamRole'>): string {
  if (iamRole !== undefined) {
    return `the role ${iamRole}`;
  }
  return accessKey ? 'the access key' : 'the identity this program runs as';
}
