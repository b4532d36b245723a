import type { SourceProblem } from '../../ports/connector.ts';
import { EgressRefused } from '../../ports/egress.ts';

interface NetworkError {
  name?: string;
  code?: string;
  message?: string;
  cause?: unknown;
  /** Set by clients that wrap the error of the network. */
  originalError?: unknown;
  /** Set after an attempt to connect to several addresses. */
  errors?: readonly unknown[];
}

/** An error and its causes, outermost first; at most eight. */
export function errorChain(error: unknown): NetworkError[] {
  const all: NetworkError[] = [];
  let next = error;
  while (typeof next === 'object' && next !== null && all.length < 8) {
    const current: NetworkError = next;
    all.push(current);
    next = current.cause ?? current.originalError ?? current.errors?.[0];
  }
  return all;
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed by the host',
  EPIPE: 'connection closed by the host',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name lookup failed',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the host',
  ETIMEDOUT: 'timed out',
  ESOCKETTIMEDOUT: 'timed out',
  TimeoutError: 'timed out',
};

/**
 * The network problem behind an error, from the codes of the error and its causes. It never repeats
 * their texts. Undefined if the codes name no network problem.
 */
export function networkReason(error: unknown): string | undefined {
  for (const { code = '', name = '' } of errorChain(error)) {
    const reason = reasons[code] ?? reasons[name];
    if (reason !== undefined) {
      return reason;
    }
  }
  return undefined;
}

/** Appends `networkReason` in parentheses if there is one. */
export function withNetworkReason(text: string, error: unknown): string {
  const reason = networkReason(error);
  return reason === undefined ? text : `${text} (${reason})`;
}

const certificateReasons: Record<string, CertificateReason> = {
  ...Object.fromEntries(
    [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'CERT_SIGNATURE_FAILURE',
    ].map((code) => [code, 'is not trusted']),
  ),
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
  CERT_HAS_EXPIRED: 'has expired',
};

export type CertificateReason = 'is not trusted' | 'is for another host name' | 'has expired';

/** What is wrong with the other side's certificate, if an error or one of its causes says so. */
export function certificateReason(error: unknown): CertificateReason | undefined {
  for (const { code = '', message = '' } of errorChain(error)) {
    const reason =
      certificateReasons[code] ??
      (/self-signed certificate|unable to verify the first certificate/i.test(message)
        ? 'is not trusted'
        : undefined);
    if (reason !== undefined) {
      return reason;
    }
  }
  return undefined;
}

/** The problem of the network or of TLS behind an error. Undefined if its codes name none. */
export function networkProblem(error: unknown): SourceProblem | undefined {
  const chain = errorChain(error);
  if (chain.some((one) => one instanceof EgressRefused)) {
    return { reason: 'address_refused' };
  }
  if (certificateReason(error) !== undefined || chain.some(isTlsError)) {
    return { reason: 'tls_refused' };
  }
  const text = networkReason(error);
  if (text === undefined) {
    return undefined;
  }
  if (text.startsWith('host name')) {
    return { reason: 'host_not_found' };
  }
  return { reason: text === 'timed out' ? 'timed_out' : 'connection_failed' };
}

const isTlsError = ({ code = '', message = '' }: NetworkError): boolean =>
  /^(?:ERR_SSL_|ERR_TLS_|EPROTO)/.test(code) || /before secure TLS connection/.test(message);
