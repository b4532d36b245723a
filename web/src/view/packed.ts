/** State that is too long for a URL as it is: deflated, in base64url. */

/** Most characters of a packed text. With the other parameters, a URL stays below 4,000. */
export const packedMax = 3400;
/** Most bytes that a packed text may grow to: a few thousand characters can hold megabytes. */
const unpackedMax = 262_144;

export async function pack(text: string): Promise<string> {
  const deflated = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(deflated).arrayBuffer());
  let binary = '';
  for (const byte of bytes) {
    binary += String.fromCharCode(byte);
  }
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The text, or undefined if this is no packed text or the text is too long. */
export async function unpack(packed: string): Promise<string | undefined> {
  if (!isPacked(packed)) {
    return undefined;
  }
  try {
    const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return await textOf(inflated);
  } catch {
    return undefined;
  }
}

/** Whether the text has the form and the length of a packed one. */
export const isPacked = (text: string): boolean =>
  text.length <= packedMax && /^[\w-]+$/.test(text);

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = stream.getReader();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return text + decoder.decode();
    }
    size += value.length;
    if (size > unpackedMax) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
