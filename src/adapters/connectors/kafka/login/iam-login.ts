import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { AuthenticationProviderArgs, Mechanism } from 'kafkajs';
import { brokersOf } from '../../../../contract/pipe/fields.ts';
import {
  ConnectionLost,
  SourceFailed,
  type ConnectorContext,
} from '../../../../ports/connector.ts';
import { EgressRefused } from '../../../../ports/egress.ts';
import { assumedRole, type RoleCredentials } from '../../assumed-role.ts';
import { guardedAgents } from '../../guarded-agents.ts';
import { iamToken, regionOfBroker } from './iam-token.ts';

/** Time before the expiry of its credentials at which a role is assumed again. */
const earlyMs = 5 * 60_000;

/**
 * Authentication with AWS IAM. IAM_USER signs with the pipe's access key, IAM_ROLE with a role that
 * the server's own identity may assume. Every connection gets its own token.
 * @param stsEndpoint where to assume roles, instead of the region's own service.
 * @throws SourceFailed if the brokers' names do not contain a region
 */
export function iamLogin(context: ConnectorContext<'kafka'>, stsEndpoint?: string): Mechanism {
  const { source } = context;
  const { authentication = 'IAM_USER', iamRole } = source;
  const region = brokersOf(source.brokers)
    .map(regionOfBroker)
    .find((candidate) => candidate !== undefined);
  if (region === undefined) {
    throw new SourceFailed(
      `cannot determine the region for authentication ${authentication}, which is read from the name of a broker. ` +
        'Set brokers to names of the cluster, such as b-1.name.a1b2c3.c4.kafka.us-east-1.amazonaws.com:9098.',
    );
  }
  const credentials =
    authentication === 'IAM_ROLE' && iamRole !== undefined
      ? roleCredentials(context, iamRole, region, stsEndpoint)
      : userCredentials(context);
  return {
    mechanism: 'OAUTHBEARER',
    authenticationProvider: ({ saslAuthenticate }) => ({
      authenticate: async () => {
        const token = iamToken(await credentials(), region, Date.now());
        await login(token, authentication, saslAuthenticate);
      },
    }),
  };
}

/**
 * A broker that accepts the token responds with an empty message. One that rejects it responds with
 * the reason, which the client's own mechanism would ignore.
 */
async function login(
  token: string,
  authentication: string,
  saslAuthenticate: AuthenticationProviderArgs['saslAuthenticate'],
): Promise<void> {
  const rejection = await saslAuthenticate({
    request: {
      encode: () => withLength(Buffer.from(`n,,\u0001auth=Bearer ${token}\u0001\u0001`)),
    },
    response: { decode: (response) => response, parse: (response) => response },
  });
  if (rejection && rejection.length > lengthBytes) {
    throw new SourceFailed(
      `the broker rejected the credentials (${authentication}). ` +
        'Check them, and that their policy allows kafka-cluster:Connect.',
    );
  }
}

function userCredentials({ source }: ConnectorContext<'kafka'>): () => Promise<RoleCredentials> {
  const { accessKeyId = '', secretKey = '' } = source.credentials ?? {};
  return () => Promise.resolve({ accessKeyId, secretAccessKey: secretKey });
}

function roleCredentials(
  { pipeId, egress }: ConnectorContext<'kafka'>,
  roleArn: string,
  region: string,
  stsEndpoint: string | undefined,
): () => Promise<RoleCredentials> {
  let known: RoleCredentials | undefined;
  return async () => {
    if (known?.expiration !== undefined && known.expiration.getTime() - earlyMs > Date.now()) {
      return known;
    }
    const requestHandler = new NodeHttpHandler({
      ...guardedAgents(egress),
      connectionTimeout: 5000,
      socketTimeout: 10_000,
    });
    try {
      return (known = await assumedRole({
        roleArn,
        region,
        sessionName: `sightline-${pipeId}`,
        requestHandler,
        endpoint: stsEndpoint,
      })());
    } catch (error) {
      throw roleError(error, roleArn);
    } finally {
      requestHandler.destroy();
    }
  };
}

const lengthBytes = 4;

function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeInt32BE(message.length);
  return Buffer.concat([length, message]);
}

const rejectedCaller =
  /^AccessDenied|^InvalidClientTokenId$|^UnrecognizedClientException$|^SignatureDoesNotMatch$/;

/** Translates an error into our words: the service's own text may quote what was signed. */
function roleError(error: unknown, roleArn: string): ConnectionLost | SourceFailed {
  const { name = '', cause } = (error ?? {}) as { name?: string; cause?: unknown };
  const refused = [error, cause].find((candidate) => candidate instanceof EgressRefused);
  if (refused) {
    return new SourceFailed(refused.message);
  }
  if (name === 'CredentialsProviderError') {
    return new SourceFailed(
      'cannot find credentials to assume iamRole. Configure AWS credentials for the server.',
    );
  }
  if (rejectedCaller.test(name)) {
    return new SourceFailed(
      `cannot assume role ${roleArn}. Allow the server's own identity in the role's trust policy.`,
    );
  }
  return new ConnectionLost('cannot assume iamRole at the moment');
}
