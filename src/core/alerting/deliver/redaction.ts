import type { WebhookSecrets } from '../../webhook/webhook-secrets.ts';

/** Maximum number of characters of a response body that are kept. */
const keptMax = 512;
/** The sender reads this much of a response, in bytes; a longer one is cut off. */
const readMaxBytes = 4096;
const characterMaxBytes = 4;
/** Shorter texts are no secrets, and masking them would make a response unreadable. */
const secretMin = 4;
const pathMin = 8;
/** Parts of a path that may be credentials: words such as `services` are not. */
const tokenForm = /^(?=.*\d).{8,}$|^.{20,}$/;

/**
 * Returns the function that shortens a response body for storage. It masks every secret of the
 * webhook that the receiver repeats: the parts of its URL, headers, query parameters and signing
 * secret, also as JSON text and percent-encoded.
 */
export function bodyKeeper(url: string, secrets: WebhookSecrets): (body: string) => string {
  const texts = secretTexts(url, secrets);
  const longest = texts[0]?.length ?? 0;
  return (body) => {
    // The end may hold the first part of a secret, which nothing recognizes.
    const isCut = Buffer.byteLength(body) > readMaxBytes - characterMaxBytes;
    let text = isCut ? body.slice(0, body.length - longest) : body;
    for (const secret of texts) {
      text = text.replaceAll(secret, '***');
    }
    return text.slice(0, keptMax);
  };
}

/** Longest first, so that no part of a longer secret remains. */
function secretTexts(url: string, { headers, queryParams, secret }: WebhookSecrets): string[] {
  const { href, pathname, search, searchParams, username, password } = new URL(url);
  const values = [
    ...(secret === undefined ? [] : [secret]),
    ...Object.values(headers ?? {}).flatMap((value) => [value, ...value.split(/\s+/)]),
    ...Object.values(queryParams ?? {}),
    ...searchParams.values(),
    username,
    password,
  ].filter(({ length }) => length >= secretMin);
  const places = [href, `${pathname}${search}`, pathname].filter(({ length }) => length >= pathMin);
  const tokens = pathname.split('/').filter((part) => tokenForm.test(part));
  const all = [...values, ...places, ...tokens].flatMap((text) => [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
  ]);
  return [...new Set(all)].sort((a, b) => b.length - a.length);
}
