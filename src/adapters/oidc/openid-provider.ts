import * as openid from 'openid-client';
import {
  ProviderFailure,
  type IdentityProvider,
  type ProviderAttempt,
  type ProviderIdentity,
} from '../../ports/identity-provider.ts';

export interface OpenidProviderOptions {
  issuer: string;
  clientId: string;
  /** Absent: a public client, which PKCE alone protects. */
  clientSecret: string | undefined;
  /** Name of the claim that decides about roles. */
  roleClaim: string | undefined;
}

const timeoutSeconds = 10;

/** Authorization code with PKCE. The provider is asked for its metadata at the first sign-in. */
export function openidProvider(options: OpenidProviderOptions): IdentityProvider {
  let discovered: Promise<openid.Configuration> | undefined;
  const configuration = (): Promise<openid.Configuration> => {
    discovered ??= discover(options).catch((error: unknown) => {
      discovered = undefined;
      throw new ProviderFailure('unavailable', error);
    });
    return discovered;
  };
  return {
    async begin(redirectUri) {
      const config = await configuration();
      const attempt: ProviderAttempt = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
      };
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, attempt };
    },

    async finish(callback, attempt) {
      const config = await configuration();
      try {
        return await exchange(config, callback, attempt, options.roleClaim);
      } catch (error) {
        throw new ProviderFailure(isOutage(error) ? 'unavailable' : 'refused', error);
      }
    },
  };
}

function discover({ issuer, clientId, clientSecret }: OpenidProviderOptions) {
  const url = new URL(issuer);
  const isPlain = url.protocol === 'http:';
  return openid.discovery(
    url,
    clientId,
    clientSecret,
    clientSecret === undefined ? openid.None() : openid.ClientSecretBasic(clientSecret),
    { timeout: timeoutSeconds, ...(isPlain && { execute: [openid.allowInsecureRequests] }) },
  );
}

async function exchange(
  config: openid.Configuration,
  callback: URL,
  { state, nonce, verifier }: ProviderAttempt,
  roleClaim: string | undefined,
): Promise<ProviderIdentity> {
  const tokens = await openid.authorizationCodeGrant(config, callback, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const own: Record<string, unknown> = { ...tokens.claims() };
  const isComplete = 'email' in own && (roleClaim === undefined || roleClaim in own);
  const hasMore = config.serverMetadata().userinfo_endpoint !== undefined;
  const more =
    isComplete || !hasMore
      ? {}
      : await openid.fetchUserInfo(config, tokens.access_token, String(own['sub']));
  const claims: Record<string, unknown> = { ...more, ...own };
  return {
    email: textOf(claims['email']),
    isEmailVerified: claims['email_verified'] === true,
    name: textOf(claims['name'])?.slice(0, 255),
    roles: roleClaim === undefined ? [] : textsOf(claims[roleClaim]),
  };
}

/** Whether no answer came, in contrast to an answer that says no. */
function isOutage(error: unknown): boolean {
  const { name, code, cause } = error as { name?: string; code?: string; cause?: unknown };
  const status = (cause as { status?: number } | undefined)?.status ?? 0;
  return name === 'TypeError' || code === 'OAUTH_TIMEOUT' || status >= 500;
}

const textOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim !== '' ? claim : undefined;

const textsOf = (claim: unknown): string[] =>
  (Array.isArray(claim) ? claim : [claim]).filter((one) => typeof one === 'string');
