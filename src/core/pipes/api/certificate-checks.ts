import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Mistake } from '../../../contract/pipe/source-contract.ts';
import type { CertificateField } from '../kinds/source-kind.ts';

/** What is wrong with the PEM texts of a source. */
export function certificateMistakes(fields: readonly CertificateField[]): Mistake[] {
  return fields.flatMap((field) => {
    const message =
      'privateKey' in field ? privateKeyMistake(field) : certificateMistake(field.certificate);
    return message === undefined ? [] : [[field.path, message] satisfies Mistake];
  });
}

/** The parser's own message is left out: it may quote the text. */
function certificateMistake(pem: string | undefined): string | undefined {
  for (const block of pem?.match(/-----BEGIN [^-]+-----[\s\S]+?-----END [^-]+-----/g) ?? []) {
    try {
      void new X509Certificate(block).fingerprint256;
    } catch {
      return 'holds a certificate that cannot be read';
    }
  }
  return undefined;
}

function privateKeyMistake({
  privateKey,
  certificate,
}: Extract<CertificateField, { privateKey: string | undefined }>): string | undefined {
  if (privateKey === undefined) {
    return undefined;
  }
  try {
    const key = createPrivateKey(privateKey);
    return certificate === undefined || new X509Certificate(certificate).checkPrivateKey(key)
      ? undefined
      : 'does not belong to the certificate';
  } catch {
    return 'cannot be read (a key with a passphrase is not supported)';
  }
}
