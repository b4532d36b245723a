/** More than any key of ours can need; longer ones are not even decoded. */
const encodedMax = 4096;

const scheme = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
// Anything a key id or secret can be made of: printable, one line. Control characters would reach
// logs and comparisons.
const printable = /^[^\p{Cc}\p{Cs}\uFFFD]+$/u;

/**
 * Key id and key secret out of an `Authorization` header: one Basic credential, canonical base64 of
 * UTF-8 `id:secret`, both non-empty. Undefined for anything else, whatever is wrong with it.
 */
export function basicCredentials(
  header: string | undefined,
): { keyId: string; keySecret: string } | undefined {
  if (header === undefined || header.length > encodedMax) {
    return undefined;
  }
  const encoded = scheme.exec(header)?.[1];
  if (encoded === undefined) {
    return undefined;
  }
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) {
    return undefined;
  }
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1 || !printable.test(text)) {
    return undefined;
  }
  return { keyId: text.slice(0, colon), keySecret: text.slice(colon + 1) };
}
