/** What the server remembers of a sign-in while the browser is at the provider. */
export interface ProviderAttempt {
  state: string;
  nonce: string;
  /** PKCE code verifier. */
  verifier: string;
}

/** Who signed in at the provider. */
export interface ProviderIdentity {
  email: string | undefined;
  /** Whether the provider says that the address belongs to the person. */
  isEmailVerified: boolean;
  name: string | undefined;
  /** Texts of the claim that decides about roles. */
  roles: readonly string[];
}

/** `unavailable`: the provider does not answer. `refused`: it, or a check of its answer, refused. */
export class ProviderFailure extends Error {
  readonly reason: 'unavailable' | 'refused';

  constructor(reason: ProviderFailure['reason'], cause: unknown) {
    super(`single sign-on: provider ${reason}`, { cause });
    this.name = 'ProviderFailure';
    this.reason = reason;
  }
}

/** An OpenID Connect provider. */
export interface IdentityProvider {
  /** The address of the provider for a browser that signs in. @throws ProviderFailure */
  begin(redirectUri: string): Promise<{ url: string; attempt: ProviderAttempt }>;
  /**
   * Checks the answer that the browser brings back, and exchanges its code once.
   * @param callback the redirect URI with the query of the request
   * @throws ProviderFailure
   */
  finish(callback: URL, attempt: ProviderAttempt): Promise<ProviderIdentity>;
}
