import type { SignInError } from '../../../../src/contract/people/session.ts';
import { param } from '../../view/url-state.ts';

/** Why single sign-on failed, and what to do. */
export const signInErrors: Readonly<Record<SignInError, string>> = {
  provider_unavailable: 'The identity provider does not respond. Try again later.',
  provider_refused: 'The identity provider refused the sign-in.',
  unverified_email: 'Your identity provider has not verified your email address.',
  domain_not_allowed: 'Your email address is not of an allowed domain. Ask an admin to add you.',
  expired: 'This sign-in took too long or was used before. Try again.',
  failed: 'The sign-in failed. Ask an admin to read the log of the server.',
};

export interface SignInParams {
  /** Path to open after the sign-in. */
  next?: string | undefined;
  error?: SignInError | undefined;
}

const codes = Object.keys(signInErrors) as SignInError[];

export const readSignInParams = (raw: Record<string, unknown>): SignInParams => ({
  next: param.ownPath(raw, 'next'),
  error: param.oneOf(raw, 'error', codes),
});
