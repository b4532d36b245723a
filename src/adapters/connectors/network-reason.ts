interface NetworkError {
  name?: string;
  code?: string;
  message?: string;
  cause?: unknown;
  /** Of the Kafka client. */
  originalError?: unknown;
  /** Of an attempt at several addresses. */
  errors?: readonly unknown[];
}

/** An error and what caused it, the outermost first; at most eight. */
export function errorChain(error: unknown): NetworkError[] {
  const all: NetworkError[] = [];
  for (let at: unknown = error; typeof at === 'object' && at !== null && all.length < 8;) {
    const one = at as NetworkError;
    all.push(one);
    at = one.cause ?? one.originalError ?? one.errors?.[0];
  }
  return all;
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the host name does not resolve just now',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the host',
  ETIMEDOUT: 'the host does not answer in time',
  ESOCKETTIMEDOUT: 'the host does not answer in time',
  TimeoutError: 'the host does not answer in time',
};

/** Why the network brought no answer, from the codes of an error and of its causes; never a text of theirs. Undefined where they tell no such thing. */
export function networkReason(error: unknown): string | undefined {
  for (const { code = '', name = '' } of errorChain(error)) {
    const reason = reasons[code] ?? reasons[name];
    if (reason !== undefined) {
      return reason;
    }
  }
  return undefined;
}

/** `networkReason` in parentheses after a space, or nothing. */
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

/** What is wrong with the certificate of the other side, where that is what an error or one of its causes says. */
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
