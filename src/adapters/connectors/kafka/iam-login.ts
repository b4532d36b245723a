import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { AuthenticationProviderArgs, Mechanism } from 'kafkajs';
import { brokersOf } from '../../../contract/pipe/fields.ts';
import { ConnectionLost, SourceFailed, type ConnectorContext } from '../../../ports/connector.ts';
import { EgressRefused } from '../../../ports/egress.ts';
import { assumedRole, type RoleCredentials } from '../assumed-role.ts';
import { guardedAgents } from '../guarded-agents.ts';
import { iamToken, regionOfBroker } from './iam-token.ts';

/** A role is assumed anew so long before its credentials end. */
const earlyMs = 5 * 60_000;

/**
 * IAM_USER signs with the access key of the pipe, IAM_ROLE with a role that this program's own identity may assume. Every connection gets a token of
 * its own. `stsEndpoint`: where roles are assumed, instead of the region's own service.
 * @throws SourceFailed where the brokers' names do not tell their region.
 */
export function iamLogin(
  { source, pipeId, egress }: ConnectorContext<'kafka'>,
  stsEndpoint?: string,
): Mechanism {
  const region = brokersOf(source.brokers)
    .map(regionOfBroker)
    .find((found) => found !== undefined);
  if (region === undefined) {
    throw new SourceFailed(
      `authentication ${source.authentication!} signs for a region, which is read from the name of a broker: give the brokers by their cluster's own names, such as b-1.name.a1b2c3.c4.kafka.us-east-1.amazonaws.com:9098`,
    );
  }
  const credentials =
    source.authentication === 'IAM_ROLE' ? roleOf(source.iamRole!, region) : userOf();
  return {
    mechanism: 'OAUTHBEARER',
    authenticationProvider: ({ saslAuthenticate }) => ({
      authenticate: async () =>
        login(iamToken(await credentials(), region, Date.now()), saslAuthenticate),
    }),
  };

  /** A broker that takes the token answers nothing; one that refuses it says why in its answer, which the client's own way of doing this does not look at. */
  async function login(
    token: string,
    saslAuthenticate: AuthenticationProviderArgs['saslAuthenticate'],
  ): Promise<void> {
    const refusal = await saslAuthenticate({
      request: {
        encode: () => withLength(Buffer.from(`n,,\u0001auth=Bearer ${token}\u0001\u0001`)),
      },
      response: { decode: (answer) => answer, parse: (answer) => answer },
    });
    if (refusal && refusal.length > lengthBytes) {
      throw new SourceFailed(
        `the broker refused the credentials (${source.authentication!}): check what they sign with, and that their policy allows kafka-cluster:Connect`,
      );
    }
  }

  function userOf(): () => Promise<RoleCredentials> {
    const { accessKeyId = '', secretKey = '' } = source.credentials ?? {};
    return () => Promise.resolve({ accessKeyId, secretAccessKey: secretKey });
  }

  function roleOf(roleArn: string, of: string): () => Promise<RoleCredentials> {
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
          region: of,
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
}

const lengthBytes = 4;

function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeInt32BE(message.length);
  return Buffer.concat([length, message]);
}

/** In our words: the service's own text can quote what was signed. */
function roleError(error: unknown, roleArn: string): ConnectionLost | SourceFailed {
  const { name = '', cause } = (error ?? {}) as { name?: string; cause?: unknown };
  const refused = [error, cause].find((one) => one instanceof EgressRefused);
  if (refused) {
    return new SourceFailed((refused as EgressRefused).message);
  }
  if (name === 'CredentialsProviderError') {
    return new SourceFailed(
      'no credentials were found to assume iamRole with: run this program with a role of its own',
    );
  }
  if (
    /^AccessDenied|^InvalidClientTokenId$|^UnrecognizedClientException$|^SignatureDoesNotMatch$/.test(
      name,
    )
  ) {
    return new SourceFailed(
      `the role ${roleArn} cannot be assumed: let its trust policy name this program's own identity`,
    );
  }
  return new ConnectionLost('roles cannot be assumed just now');
}
