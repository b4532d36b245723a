import { openidProvider } from '../adapters/oidc/openid-provider.ts';
import { providerSessionVerb } from '../core/identity/provider-session.ts';
import type { Sessions } from '../http/auth/session.ts';
import type { SingleSignOn } from '../http/ui/single-sign-on.ts';
import type { StoreReader } from '../ports/store/store-access.ts';
import type { Foundation } from './foundation.ts';

/**
 * Single sign-on with the configured provider; undefined if there is none.
 * @param origin address of the interface, known once it listens
 */
export function singleSignOn(
  { config, ids, vault, clock, log }: Foundation,
  { sessions, store }: { sessions: Sessions; store: StoreReader },
  origin: () => string,
): SingleSignOn | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcRoleClaim: roleClaim } = config;
  if (issuer === undefined || clientId === undefined) {
    return undefined;
  }
  const rules = {
    allowedDomains: config.oidcAllowedDomains,
    adminValues: roleClaim === undefined ? undefined : config.oidcAdminValues,
  };
  return {
    provider: openidProvider({
      issuer,
      clientId,
      clientSecret: config.oidcClientSecret,
      roleClaim,
    }),
    verb: providerSessionVerb({ store, ids }, rules),
    sessions,
    vault,
    clock,
    log,
    origin,
  };
}
